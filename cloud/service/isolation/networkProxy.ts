// Connects isolated workers, which have no network of their own, to hosts: an HTTP proxy at a Unix socket in the render's
// folder. It supports only CONNECT. The worker speaks TLS itself, so the proxy sees no contents.
import { createServer, type IncomingMessage } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isPublicAddress, notPublic } from '../../../renderer-core/project/remote/publicAddress.ts';
import { publicLookup } from '../../../renderer-core/project/remote/publicLookup.ts';

export type NetworkProxy = { close(): Promise<void> };

/** More than a browser opens at once. */
const maxConnections = 64;

export type ProxyRules = {
  /** Also connects to addresses that are not public. */
  allowPrivate: boolean;
  /** Whether it connects to a host, whatever its address is. */
  mayConnect(host: string): boolean;
};

export async function openNetworkProxy(
  socketPath: string,
  { allowPrivate, mayConnect }: ProxyRules,
): Promise<NetworkProxy> {
  const open = new Set<Duplex>();
  const server = createServer((_, response) => response.writeHead(405).end());
  server.maxConnections = maxConnections;
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    keep(client, open);
    const target = targetOf(request.url ?? '');
    if (target === undefined) return refuse(client, '400 Bad Request');
    if (!mayConnect(target.host.toLowerCase())) return refuse(client, '403 Not allowed');
    if (!allowPrivate && isIP(target.host) && !isPublicAddress(target.host)) return refuse(client, '403 Not public');
    const upstream = connect({ ...target, ...(allowPrivate ? {} : { lookup: publicLookup }) });
    keep(upstream, open);
    join(client, upstream, head);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  return {
    async close() {
      for (const stream of open) stream.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function keep(stream: Duplex, open: Set<Duplex>): void {
  open.add(stream);
  stream.once('close', () => open.delete(stream));
  // Workers are not trusted: one that closes its connection must not end the service.
  stream.on('error', () => stream.destroy());
}

function join(client: Duplex, upstream: Socket, head: Buffer): void {
  let isConnected = false;
  upstream.once('connect', () => {
    isConnected = true;
    client.write('HTTP/1.1 200 OK\r\n\r\n');
    upstream.write(head);
    upstream.pipe(client).pipe(upstream);
  });
  upstream.once('error', (error: NodeJS.ErrnoException) => {
    if (isConnected) client.destroy();
    else refuse(client, error.code === notPublic ? '403 Not public' : `502 ${reasonOf(error)}`);
  });
  client.once('close', () => upstream.destroy());
  upstream.once('close', () => isConnected && client.destroy());
}

/** Status lines have no control characters. */
const reasonOf = ({ message, code }: NodeJS.ErrnoException): string =>
  (message || code || 'no connection').replaceAll(/[^ -~]+/g, ' ');

const refuse = (client: Duplex, status: string): void =>
  void client.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);

/** `example.com:443` or `[2001:db8::1]:443`. */
function targetOf(text: string): { host: string; port: number } | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port };
}
