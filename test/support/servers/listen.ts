// Servers of tests on 127.0.0.1.
import { once } from 'node:events';
import { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** Listens on any port, and returns the address. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Listens until the test ends. */
export async function listenInTest(server: Server): Promise<string> {
  const origin = await listen(server);
  onTestFinished(() => stopListening(server));
  return origin;
}

/** Also of a server that does not listen any more. */
export async function stopListening(server: Server): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
    if (server instanceof HttpServer) server.closeAllConnections();
  });
}
