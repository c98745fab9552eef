// The project server over real connections. Hostile request targets are sent raw, because fetch would normalize them.
import { once } from 'node:events';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ProjectServer, startProjectServer } from '../../../../renderer-core/project/serve/projectServer.ts';
import { createPipe } from '../../../support/devices.ts';
import { project } from '../../../support/project.ts';
import { full } from '../../../support/suites.ts';

async function serve(files: Record<string, string | Uint8Array>): Promise<ProjectServer & { root: string }> {
  const root = project(files);
  const server = await startProjectServer(root);
  onTestFinished(server.close);
  return { ...server, root };
}

function connectTo({ origin }: ProjectServer): Socket {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.on('error', () => undefined);
  return socket;
}

async function raw(server: ProjectServer, target: string, host = new URL(server.origin).host): Promise<string> {
  const socket = connectTo(server);
  socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}

function statusOf(answer: string): number {
  return Number(answer.split(' ')[1]);
}

describe('files', () => {
  test.each([
    ['index.html', 'text/html'],
    ['a/style.css', 'text/css'],
    ['app.js', 'text/javascript'],
    ['data.json', 'application/json'],
    ['logo.svg', 'image/svg+xml'],
    ['clip.mp4', 'video/mp4'],
    ['font.woff2', 'font/woff2'],
    ['no-extension', 'application/octet-stream'],
    ['node_modules/gsap/gsap.mjs', 'text/javascript'],
    [`100% ü 日本 #1${process.platform === 'win32' ? '' : '?'}.txt`, 'text/plain'],
    ['a%20b.txt', 'text/plain'],
  ])('serves %s as %s', async (path, type) => {
    const server = await serve({ [path]: `this is ${path}` });
    const url = `${server.origin}/${path.split('/').map(encodeURIComponent).join('/')}?v=1`;
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(`this is ${path}`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      // A loaded image may be shown again without a request.
      'cache-control': type.startsWith('image/') ? 'max-age=86400' : 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(server.missing).toEqual([]);
  });

  test.each([
    ['style', 'a.css', 'a{content:"\xE4"}', 'text/css; charset=koi8-r'],
    ['style', 'named.css', 'a{content:"\xE4"}', 'text/css; charset=windows-1252'],
    ['style', 'own.css', '@charset "greek";a{content:"\xE4"}', 'text/css'],
    ['style', 'mark.css', '\xEF\xBB\xBFa{}', 'text/css'],
    ['script', 'a.js', 'a="\xE4"', 'text/javascript; charset=koi8-r'],
    ['worker', 'a.js', 'a="\xE4"', 'text/javascript'],
    ['empty', 'a.css', 'a{content:"\xE4"}', 'text/css'],
    ['iframe', 'a.html', '<p>\xE4', 'text/html; charset=koi8-r'],
    ['iframe', 'own.html', '<meta charset=greek>\xE4', 'text/html'],
  ])('serves a %s of a page in KOI8-R with the encoding that the browser would use: %s', async (destination, path, text, type) => {
    const server = await serve({ [path]: Buffer.from(text, 'latin1') });
    server.setEncodings({ page: 'koi8-r', fallbacks: new Map([['named.css', 'windows-1252']]) });
    const response = await fetch(`${server.origin}/${path}`, { headers: { 'sec-fetch-dest': destination } });
    expect(response.headers.get('content-type')).toBe(type);
    expect(Buffer.from(await response.arrayBuffer()).toString('latin1')).toBe(text);
  });

  test('serves an empty file, and answers HEAD', async () => {
    const server = await serve({ 'empty.txt': '', 'a.txt': 'four' });
    expect(await (await fetch(`${server.origin}/empty.txt`)).text()).toBe('');
    const head = await fetch(`${server.origin}/a.txt`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '4', '']);
  });

  test('serves a large file completely', async () => {
    const bytes = new Uint8Array(3_000_000).map((_, i) => i % 251);
    const server = await serve({ 'big.bin': bytes });
    const body = await (await fetch(`${server.origin}/big.bin`)).arrayBuffer();
    expect(Buffer.from(body).equals(bytes)).toBe(true);
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('rejects the method %s', async (method) => {
    const server = await serve({ 'a.txt': 'a' });
    const response = await fetch(`${server.origin}/a.txt`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('ranges', () => {
  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-', 416, '416\n', 'bytes */10'],
    ['bytes=-0', 416, '416\n', 'bytes */10'],
    ['bytes=5-2', 200, '0123456789', null],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['bytes=-', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
  ])('answers %s with %d', async (range, status, body, contentRange) => {
    const server = await serve({ 'a.txt': '0123456789' });
    server.setVirtual('/v.txt', { body: '0123456789', type: 'text/plain' });
    for (const path of ['a.txt', 'v.txt']) {
      const response = await fetch(`${server.origin}/${path}`, { headers: { range } });
      expect([response.status, await response.text()]).toEqual([status, body]);
      expect(response.headers.get('content-range')).toBe(contentRange);
    }
    expect(server.missing).toEqual([]);
  });

  test('has no range in an empty file, and ignores ranges with If-Range', async () => {
    const server = await serve({ 'empty.txt': '', 'a.txt': 'abc' });
    expect((await fetch(`${server.origin}/empty.txt`, { headers: { range: 'bytes=0-' } })).status).toBe(416);
    const headers = { range: 'bytes=0-0', 'if-range': '"x"' };
    expect(await (await fetch(`${server.origin}/a.txt`, { headers })).text()).toBe('abc');
  });
});

describe('virtual files', () => {
  test('take precedence over files on disk, by decoded path', async () => {
    const server = await serve({ 'index.html': 'disk' });
    server.setVirtual('/index.html', { body: 'virtual', type: 'text/html' });
    server.setVirtual('/50% ü.html', { body: new Uint8Array([104, 105]), type: 'text/html' });
    expect(await (await fetch(`${server.origin}/index.html?x`)).text()).toBe('virtual');
    expect(await (await fetch(`${server.origin}/50%25%20%C3%BC.html`)).text()).toBe('hi');
  });

  test('are the only files in the reserved folder, whose paths may be encoded', async () => {
    const server = await serve({ '__framework/page.js': 'disk' });
    const paths = ['/__framework/page.js', '/%5f_framework/page.js', '//__framework/page.js'];
    for (const path of paths) expect(statusOf(await raw(server, path))).toBe(404);
    server.setVirtual('/__framework/m1/a%20b.js', { body: 'mount', type: 'text/javascript' });
    expect(await (await fetch(`${server.origin}/__framework/m1/a%20b.js`)).text()).toBe('mount');
  });
});

describe('refused requests', () => {
  const secrets = {
    'a.txt': 'a',
    '.env': 'secret',
    '.git/config': 'secret',
    'sub/.hidden/x': 'secret',
    'sub/b.txt': 'b',
  };

  test.each([
    ['/../x'],
    ['/%2e%2e%2fx'],
    ['/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd'],
    ['/sub/../a.txt'],
    ['/..%5c..%5cetc'],
    ['/%5c..%5c'],
    ['/\\..\\x'],
    ['/\\['],
    ['//etc/passwd'],
    ['//['],
    ['/%00'],
    ['/a.txt%00.html'],
    ['/%'],
    ['/100%.png?v=%'],
    ['/%ff'],
    ['/.env'],
    ['/%2eenv'],
    ['/.git/config'],
    ['/sub/.hidden/x'],
    ['/'],
    ['/sub'],
    ['/sub/'],
    ['/a.txt/'],
    [`/${'x'.repeat(5000)}`],
    ['/none.txt?q=1'],
  ])('%s', async (target) => {
    const server = await serve(secrets);
    expect(statusOf(await raw(server, target))).toBe(404);
    expect(server.missing).toHaveLength(1);
    for (const { url } of server.missing) {
      const parsed = new URL(url, server.origin);
      expect(parsed.origin).toBe(server.origin);
      expect(() => decodeURIComponent(parsed.pathname)).not.toThrow();
    }
    expect(statusOf(await raw(server, '/a.txt'))).toBe(200);
  });

  test.each(['http://127.0.0.1/a.txt', '*', 'a.txt', '?', 'caf\u00e9'])('rejects the target %s', async (target) => {
    const server = await serve(secrets);
    expect(statusOf(await raw(server, target))).toBe(400);
    expect(statusOf(await raw(server, '/a.txt'))).toBe(200);
  });

  test.each(['localhost', '127.0.0.1', 'evil.example', '127.0.0.1:1', ''])('rejects the host "%s"', async (host) => {
    const server = await serve(secrets);
    const answer = await raw(server, '/a.txt', host);
    expect(statusOf(answer)).toBe(403);
    expect(server.missing).toEqual([{ url: '/a.txt', referer: '', reason: 'outside' }]);
  });

  test('is reached at 127.0.0.1 only', async () => {
    const { port } = new URL((await serve(secrets)).origin);
    await expect(fetch(`http://127.0.0.2:${port}/a.txt`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  test('treats a percent sign without a valid sequence as a character', async () => {
    const server = await serve({ '100%/a b.txt': 'found' });
    expect(await raw(server, '/100%/a%20b.txt')).toMatch(/found$/);
  });

  test('does not record a HEAD request for a missing file', async () => {
    const server = await serve({});
    expect((await fetch(`${server.origin}/a.png`, { method: 'HEAD' })).status).toBe(404);
    expect(server.missing).toEqual([]);
  });

  test('records the target and referer of a request for a missing file', async () => {
    const server = await serve({});
    const referer = `${server.origin}/index.html`;
    await fetch(`${server.origin}/img/a%20b.png?v=1`, { headers: { referer } });
    expect(server.missing).toEqual([{ url: '/img/a%20b.png?v=1', referer, reason: 'missing' }]);
  });
});

describe('links', () => {
  test('are followed inside the folder, also if the folder itself is a link', async () => {
    const root = project({ 'a.txt': 'a', 'node_modules/.store/lib/x.js': 'x' });
    symlinkSync('a.txt', join(root, 'link.txt'));
    symlinkSync('.store/lib', join(root, 'node_modules/lib'));
    const entrance = join(project({}), 'entrance');
    symlinkSync(root, entrance);
    const server = await startProjectServer(entrance);
    onTestFinished(server.close);
    expect(await (await fetch(`${server.origin}/link.txt`)).text()).toBe('a');
    expect(await (await fetch(`${server.origin}/node_modules/lib/x.js`)).text()).toBe('x');
  });

  test('are refused if they lead out of the folder, also to one with the same prefix', async () => {
    const parent = project({ 'root/a.txt': 'a', 'root-2/secret.txt': 'secret' });
    symlinkSync('../root-2', join(parent, 'root/folder'));
    symlinkSync('../root-2/secret.txt', join(parent, 'root/file.txt'));
    symlinkSync('loop', join(parent, 'root/loop'));
    const server = await startProjectServer(join(parent, 'root'));
    onTestFinished(server.close);
    expect(statusOf(await raw(server, '/file.txt'))).toBe(403);
    expect(statusOf(await raw(server, '/folder/secret.txt'))).toBe(403);
    expect(statusOf(await raw(server, '/loop'))).toBe(404);
    expect(server.missing.map(({ url, reason }) => [url, reason])).toEqual([
      ['/file.txt', 'outside'],
      ['/folder/secret.txt', 'outside'],
      ['/loop', 'missing'],
    ]);
  });
});

describe('interruptions', () => {
  test('survives a client that disconnects early', async () => {
    const server = await serve({ 'big.bin': new Uint8Array(30_000_000), 'a.txt': 'a' });
    for (let i = 0; i < 5; i++) {
      const socket = connectTo(server);
      socket.write(`GET /big.bin HTTP/1.1\r\nHost: ${new URL(server.origin).host}\r\n\r\n`);
      await once(socket, 'data');
      socket.destroy();
    }
    expect(await (await fetch(`${server.origin}/a.txt`)).text()).toBe('a');
  });

  test('closes the connection when a file becomes shorter while it is read', async () => {
    const server = await serve({ 'big.bin': new Uint8Array(60_000_000) });
    const response = await fetch(`${server.origin}/big.bin`);
    truncateSync(join(server.root, 'big.bin'), 10);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  test.skipIf(process.platform === 'win32')('refuses a named pipe instead of waiting for it', full, async (context) => {
    const server = await serve({ 'a.txt': 'a' });
    createPipe(context, server.root);
    expect(statusOf(await raw(server, '/pipe'))).toBe(404);
  });

  test('serves files that are written while the server runs', async () => {
    const server = await serve({});
    mkdirSync(join(server.root, 'new'));
    writeFileSync(join(server.root, 'new/a.txt'), 'new');
    expect(await (await fetch(`${server.origin}/new/a.txt`)).text()).toBe('new');
  });

  test('closes idle and busy connections at once, and can be closed twice', async () => {
    const server = await serve({ 'big.bin': new Uint8Array(30_000_000) });
    const idle = connectTo(server);
    await once(idle, 'connect');
    const busy = connectTo(server);
    busy.write(`GET /big.bin HTTP/1.1\r\nHost: ${new URL(server.origin).host}\r\n\r\n`);
    await once(busy, 'data');
    const ends = [idle, busy].map((socket) => new Promise((resolve) => socket.on('close', resolve).resume()));
    await server.close();
    await Promise.all(ends);
    await server.close();
    await expect(fetch(server.origin)).rejects.toThrow();
  });
});

describe('reads', () => {
  test('records requested files with their versions, and missing ones', async () => {
    const server = await serve({ 'a b.txt': 'a', '.env': 'KEY' });
    const get = async (path: string) => void (await fetch(`${server.origin}/${path}`)).status;
    server.setVirtual('/virtual.txt', { body: '', type: 'text/plain' });
    for (const path of ['a%20b.txt?v=1', 'none/x.png', '.env', 'virtual.txt', '__framework/x.js']) await get(path);
    const [first, missing, ...rest] = server.reads.list();
    expect(first).toEqual({ path: 'a b.txt', version: expect.any(String) });
    expect([missing, ...rest]).toEqual([{ path: 'none/x.png', version: null }]);
  });

  test('reports no version of a file that changes between two reads', async () => {
    const server = await serve({ 'a.txt': 'a' });
    await fetch(`${server.origin}/a.txt`);
    writeFileSync(join(server.root, 'a.txt'), 'longer');
    await fetch(`${server.origin}/a.txt`);
    expect(server.reads.list()).toEqual([{ path: 'a.txt', version: undefined }]);
  });

  test('includes files that a later render takes from the cache of its browser', async () => {
    const server = await serve({ 'a.png': 'a', 'b.png': 'b' });
    await fetch(`${server.origin}/a.png`);
    const before = server.reads.list();
    server.reads.begin();
    expect(server.reads.list()).toEqual([]);
    for (const path of ['/a.png', '/b.png']) server.noteUse(path);
    expect(server.reads.list()).toEqual(before);
  });
});
