// Closes connections whose client takes too long to send the body of a request: many of them would occupy all connections.
import type { HttpBindings } from '@hono/node-server';
import { createAssetRoute } from './routes.ts';

/** These bodies have at most 512 KiB. */
export const bodyMs = 30_000;

const timeout = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Does nothing for uploads, which have a limit for their speed instead. */
export function limitBodyTime({ incoming, outgoing }: HttpBindings): void {
  if (incoming.method === 'POST' && incoming.url?.split('?')[0] === createAssetRoute.path) return;
  const timer = setTimeout(() => {
    if (incoming.complete) return;
    const { socket } = incoming;
    if (!outgoing.headersSent) socket.write(timeout);
    socket.destroySoon();
  }, bodyMs);
  timer.unref();
  incoming.once('close', () => clearTimeout(timer));
}
