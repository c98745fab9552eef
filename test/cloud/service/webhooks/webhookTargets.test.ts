// Webhooks are only sent to the public internet, and receivers can neither block nor flood the service.
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { publicLookup } from '../../../../renderer-core/project/remote/publicLookup.ts';
import { postWebhook } from '../../../../webhooks/postWebhook.ts';
import { startNameServer } from '../../../support/servers/nameServer.ts';
import { startReceiver } from '../../../support/service/webhooks.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Counts connections, and passes them to the test. */
async function trap(onConnection: (socket: Socket) => void = (socket) => socket.destroy()) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  closing.push(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  );
  return { port: typeof address === 'object' && address ? address.port : 0, sockets };
}

const send = (url: string, options: { allowPrivate?: boolean; timeoutMs?: number } = {}) =>
  postWebhook({ url, headers: {}, body: '{}', allowPrivate: false, timeoutMs: 10_000, ...options });

describe('without private targets', () => {
  test.each([
    ['http://127.0.0.1:PORT/', 'the URL is not https'],
    ['http://example.com:PORT/', 'the URL is not https'],
    ['ftp://127.0.0.1:PORT/', 'the URL is not https'],
    ['https://127.0.0.1:PORT/', '127.0.0.1 is not an address of the public internet'],
    ['https://127.1:PORT/', '127.0.0.1 is not an address of the public internet'],
    ['https://2130706433:PORT/', '127.0.0.1 is not an address of the public internet'],
    ['https://0x7f.0.0.1:PORT/', '127.0.0.1 is not an address of the public internet'],
    ['https://0:PORT/', '0.0.0.0 is not an address of the public internet'],
    ['https://[::1]:PORT/', '::1 is not an address of the public internet'],
    ['https://[::ffff:127.0.0.1]:PORT/', '::ffff:7f00:1 is not an address of the public internet'],
    ['https://169.254.169.254/latest/meta-data/', '169.254.169.254 is not an address of the public internet'],
    ['https://localhost:PORT/', 'localhost is not an address of the public internet'],
  ])('rejects %s', async (url, error) => {
    const { port, sockets } = await trap();
    expect(await send(url.replace('PORT', String(port)))).toEqual({ statusCode: null, error });
    expect(sockets).toEqual([]);
  });

  test('rejects a name that resolved to a public address before and to this machine now', async () => {
    const { port, sockets } = await trap();
    const answers = ['93.184.216.34', '127.0.0.1'];
    const asked = await startNameServer((type) => (type === 'A' ? answers.splice(0, 1) : []));
    closing.push(asked.close);
    const first = new Promise((resolve) => publicLookup('rebind.example', {}, (_, address) => resolve(address)));
    expect(await first).toBe('93.184.216.34');
    expect(await send(`https://rebind.example:${port}/`)).toEqual({
      statusCode: null,
      error: 'rebind.example is not an address of the public internet',
    });
    expect([answers, sockets]).toEqual([[], []]);
  });
});

describe('with private targets', () => {
  test('allows http and this machine', async () => {
    const { url } = await startReceiver();
    expect(await send(url, { allowPrivate: true })).toEqual({ statusCode: 200, error: null });
  });

  test('requires TLS of an https URL', async () => {
    // The response is not TLS.
    const { port } = await trap((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    const answer = await send(`https://127.0.0.1:${port}/`, { allowPrivate: true });
    expect(answer).toEqual({ statusCode: null, error: expect.stringMatching(/ssl|tls|wrong version/i) });
  });
});

describe('misbehaving receivers', () => {
  const here = { allowPrivate: true, timeoutMs: 500 };
  const forever = (socket: Socket, begin: string) => {
    socket.write(begin);
    const more = () => {
      while (!socket.destroyed && socket.write('x'.repeat(16_384)));
    };
    socket.on('drain', more);
    more();
  };

  test.each<[string, (socket: Socket) => void, { statusCode: number | null; error: string | null }]>([
    ['sends nothing', () => undefined, { statusCode: null, error: 'no response within 0.5 s' }],
    ['closes the connection', (socket) => socket.end(), { statusCode: null, error: 'socket hang up' }],
    [
      'never ends its headers',
      (socket) => forever(socket, 'HTTP/1.1 200 OK\r\nx: '),
      { statusCode: null, error: expect.stringContaining('Header overflow') },
    ],
    [
      'speaks another protocol',
      (socket) => socket.end('220 mail.example.com ESMTP\r\n'),
      { statusCode: null, error: expect.stringContaining('Parse Error') },
    ],
    [
      'switches protocols',
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      { statusCode: null, error: expect.stringMatching(/socket hang up|closed/) },
    ],
    [
      'never sends the announced body',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n'),
      { statusCode: 200, error: null },
    ],
    [
      'sends an endless body',
      (socket) => forever(socket, 'HTTP/1.1 500 No\r\nconnection: close\r\n\r\n'),
      { statusCode: 500, error: null },
    ],
    [
      'cuts off its body',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab'),
      { statusCode: 200, error: null },
    ],
  ])('handles one that %s', async (_, onConnection, expected) => {
    const { port, sockets } = await trap((socket) => {
      socket.once('data', () => onConnection(socket));
      socket.on('data', () => undefined);
    });
    expect(await send(`http://127.0.0.1:${port}/`, here)).toEqual(expected);
    const [socket] = sockets;
    if (socket && !socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
    expect(sockets).toHaveLength(1);
  });

  test('reports one that does not listen', async () => {
    const { port } = await trap();
    await closing.pop()?.();
    const answer = await send(`http://127.0.0.1:${port}/?token=hush`, here);
    expect(answer).toEqual({ statusCode: null, error: `connect ECONNREFUSED 127.0.0.1:${port}` });
  });
});
