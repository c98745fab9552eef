// Untrusted pages can only load files of public hosts: no service on this machine and no local file, by any protocol.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { renderVideo } from '../../../../sdk/renders.ts';
import { runProgram } from '../../../support/program.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { hex, readFrames } from '../../../support/renders/video.ts';
import { startHost } from '../../../support/servers/host.ts';

type Neighbour = { port: number; contacts: string[] };

/** A service on this machine that counts HTTP requests, TCP connections and datagrams. */
async function neighbour(): Promise<{ http: Neighbour; tcp: Neighbour; udp: Neighbour }> {
  const http: Neighbour = { port: 0, contacts: [] };
  const server = createServer((request, response) => {
    http.contacts.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/event-stream' });
    response.end('secret');
  });
  server.on('upgrade', (request, socket) => {
    http.contacts.push(`upgrade ${request.url}`);
    socket.destroy();
  });
  const tcp: Neighbour = { port: 0, contacts: [] };
  const plain = createTcpServer((socket) => {
    tcp.contacts.push('connection');
    socket.destroy();
  });
  const udp: Neighbour = { port: 0, contacts: [] };
  const datagrams = createSocket('udp4', (message) => udp.contacts.push(`${message.length} bytes`));
  for (const [listener, kept] of [
    [server, http],
    [plain, tcp],
  ] as const) {
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    kept.port = (listener.address() as AddressInfo).port;
  }
  datagrams.bind(0, '127.0.0.1');
  await once(datagrams, 'listening');
  udp.port = datagrams.address().port;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    plain.close();
    datagrams.close();
  });
  return { http, tcp, udp };
}

/** Tries every kind of connection. A box turns green if the connection fails and red if it works. */
const attempts = ({ http, tcp, udp }: Record<'http' | 'tcp' | 'udp', Neighbour>) => `
<div id="get" style="position:absolute;left:0;top:0;width:20px;height:20px;background:#00f"></div>
<div id="post" style="position:absolute;left:40px;top:0;width:20px;height:20px;background:#00f"></div>
<div id="file" style="position:absolute;left:0;top:20px;width:20px;height:20px;background:#00f"></div>
<script>
const host = '127.0.0.1:${http.port}', other = 'localhost:${http.port}', bare = '127.0.0.1:${tcp.port}';
const result = (id, works) => { document.getElementById(id).style.background = works ? '#f00' : '#0f0'; };
const quietly = (work) => { try { Promise.resolve(work()).catch(() => undefined); } catch {} };
fetch('http://' + host + '/get').then(() => result('get', true), () => result('get', false));
fetch('http://' + host + '/post', { method: 'POST', body: 'x', mode: 'no-cors' }).then(() => result('post', true), () => result('post', false));
fetch('file:///etc/passwd').then(() => result('file', true), () => result('file', false));
quietly(() => new WebSocket('ws://' + host + '/socket').onerror = () => undefined);
quietly(() => new WebSocket('ws://' + other + '/socket'));
quietly(() => new EventSource('http://' + host + '/events'));
quietly(() => navigator.sendBeacon('http://' + host + '/beacon', 'x'));
quietly(() => fetch('http://[::ffff:127.0.0.1]:${http.port}/mapped', { mode: 'no-cors' }));
quietly(() => fetch('http://0.0.0.0:${http.port}/zero', { mode: 'no-cors' }));
quietly(() => new WebTransport('https://' + host + '/transport'));
quietly(() => window.open('http://' + host + '/window'));
quietly(() => { const link = document.createElement('link'); link.rel = 'preconnect'; link.href = 'http://' + bare; document.head.append(link); });
quietly(() => new Worker(URL.createObjectURL(new Blob(["fetch('http://" + host + "/worker'); new WebSocket('ws://" + host + "/workersocket')"]))));
quietly(() => new SharedWorker(URL.createObjectURL(new Blob(["fetch('http://" + host + "/shared')"]))));
quietly(async () => {
  const peer = new RTCPeerConnection({ iceServers: [
    { urls: 'stun:127.0.0.1:${udp.port}' }, { urls: 'stun:localhost:${udp.port}' },
    { urls: 'turn:' + bare + '?transport=tcp', username: 'a', credential: 'b' },
    { urls: 'turn:127.0.0.1:${udp.port}?transport=udp', username: 'a', credential: 'b' },
  ] });
  peer.createDataChannel('x');
  await peer.setLocalDescription(await peer.createOffer());
});
</script>`;

/** The boxes of the last frame, and the services that were reached. */
async function render(
  network: 'any' | 'public',
  place: Awaited<ReturnType<typeof neighbour>>,
  more: Record<string, string> = {},
) {
  const output = join(temporaryFolder(), 'frames');
  const projectDir = project({ 'index.html': composition(attempts(place), { duration: 4 }), ...more });
  await renderVideo({ projectDir, output, format: 'png', fps: '4', workers: 1, network });
  const last = readFrames(output).at(-1);
  const boxes = { get: hex(last, 5, 5), post: hex(last, 45, 5), file: hex(last, 5, 25) };
  return { boxes, contacts: { http: place.http.contacts, tcp: place.tcp.contacts, udp: place.udp.contacts } };
}

test('blocks all connections to this machine if only public hosts are allowed', async () => {
  const { boxes, contacts } = await render('public', await neighbour());
  expect(contacts).toEqual({ http: [], tcp: [], udp: [] });
  expect(boxes).toEqual({ get: '#00ff00', post: '#00ff00', file: '#00ff00' });
});

test('loads files only from the hosts that framework.json lists', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
  const host = await startHost({ '/a.svg': { body: svg, headers: { 'content-type': 'image/svg+xml' } } });
  const other = host.origin.replace('127.0.0.1', 'localhost');
  const files = (origin: string) => ({
    'index.html': composition(`<img src="${origin}/a.svg">`, { duration: 0.1 }),
    'framework.json': '{"allowHosts": ["127.0.0.1"]}',
  });
  const output = join(temporaryFolder(), 'a.mp4');
  await renderVideo({ projectDir: project(files(host.origin)), output });
  await expect(renderVideo({ projectDir: project(files(other)), output })).rejects.toThrow(
    'localhost is not one of the allowed hosts',
  );
  await expect(
    renderVideo({ projectDir: project(files(host.origin)), output, allowHosts: [['example.com']] }),
  ).rejects.toThrow('127.0.0.1 is not one of the allowed hosts');
});

test('does not ignore the list of a framework.json that is a link out of the project', async () => {
  const projectDir = project({ 'index.html': composition('<p>Hello</p>') });
  symlinkSync(
    join(project({ 'shared.json': '{"allowHosts": []}' }), 'shared.json'),
    join(projectDir, 'framework.json'),
  );
  await expect(renderVideo({ projectDir, output: join(temporaryFolder(), 'a.mp4') })).rejects.toMatchObject({
    code: 'config_invalid',
    message: 'framework.json is a link to a file outside the project folder',
  });
});

test('makes no other connection if hosts are listed', async () => {
  const { contacts } = await render('any', await neighbour(), { 'framework.json': '{"allowHosts": ["example.com"]}' });
  expect(contacts).toEqual({ http: [], tcp: [], udp: [] });
});

test.each([
  ['an image', (port: number) => `<img src="http://127.0.0.1:${port}/a.png">`],
  ['an image by host name', (port: number) => `<img src="http://localhost:${port}/a.png">`],
  ['a style', (port: number) => `<div style="width:9px;height:9px;background:url(http://[::1]:${port}/a.png)"></div>`],
  ['a video', (port: number) => `<video src="http://127.0.0.1:${port}/a.mp4" data-start="0"></video>`],
  ['a script', (port: number) => `<script src="http://0.0.0.0:${port}/a.js"></script>`],
  ['a frame', (port: number) => `<iframe src="http://127.0.0.1:${port}/"></iframe>`],
  ['an image that a script loads', (port: number) => `<script>new Image().src = 'http://127.1:${port}/a.png'</script>`],
])('%s on this machine is refused', async (_, body) => {
  const { http } = await neighbour();
  const request = { projectDir: project(composition(body(http.port))), output: join(temporaryFolder(), 'a.mp4') };
  await expect(renderVideo({ ...request, network: 'public' })).rejects.toThrow(
    'is not an address of the public internet',
  );
  expect(http.contacts).toEqual([]);
});

test.each([
  ['a frame of a file', '<iframe src="file:///etc/passwd"></iframe>'],
  ['a frame of a source', '<iframe src="view-source:file:///etc/passwd"></iframe>'],
  [
    'a media file through the media proxy',
    '<video src="/__framework/media?url=file:///etc/passwd" data-start="0"></video>',
  ],
])('%s shows nothing of it', async (_, body) => {
  const output = join(temporaryFolder(), 'frames');
  const root = '<style>iframe,video{width:64px;height:48px;border:0;background:#000}</style>';
  const request = { projectDir: project(composition(root + body, { duration: 0.1 })), output, format: 'png' };
  const error = await renderVideo({ ...request, network: 'public' }).catch((reason: Error) => reason);
  if (error instanceof Error) return expect(error.message).not.toContain('root:');
  // Only one color: the frame contains no text.
  const frame = readFrames(output).at(-1);
  const colors = new Set(Array.from({ length: 64 * 48 }, (_, at) => hex(frame, at % 64, Math.floor(at / 64))));
  expect([...colors]).toHaveLength(1);
});

test('the command line and the rows of a batch have the same restriction', async () => {
  const { http } = await neighbour();
  const root = project({
    'index.html': composition('<p>Hello</p>', { duration: 0.1 }),
    'remote.html': composition(`<img src="http://127.0.0.1:${http.port}/a.png">`),
    'rows.json': '[{}, {}, {}]',
  });
  const folder = temporaryFolder();
  const network = ['--network', 'public'];
  for (const [command, file] of [
    ['render', 'a.mp4'],
    ['snapshot', 'a.png'],
  ] as const) {
    const single = await runProgram([command, join(root, 'remote.html'), '-o', join(folder, file), ...network]);
    expect(single).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is not an address of the public internet'),
    });
  }
  const batch = ['--batch', join(root, 'rows.json'), '--batch-concurrency', '2', '-o', join(folder, '{index}.mp4')];
  expect(await runProgram(['render', root, ...batch, ...network])).toMatchObject({ status: 0 });
  expect(readdirSync(folder).filter((name) => name.endsWith('.mp4'))).toEqual(['0.mp4', '1.mp4', '2.mp4']);
  expect(http.contacts).toEqual([]);
});

test('allows the same connections without the restriction', async () => {
  const { contacts } = await render('any', await neighbour());
  const paths = contacts.http.map((contact) => contact.replace(/^\w+ /, ''));
  expect(paths).toEqual(expect.arrayContaining(['/get', '/post', '/socket', '/events', '/beacon', '/worker']));
  expect(contacts.tcp).not.toEqual([]);
  expect(contacts.udp).not.toEqual([]);
});
