// What handlers find beside a request: who asks, the number of the request, and the connection it came over.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'hono';

export type ServiceEnv = {
  /** Absent in tests that need no connection. */
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse };
  Variables: { requestId: string; accountId: string };
};

/**
 * Where the request comes from. A proxy on this machine is believed when it says for whom it asks; nobody else is, so that
 * no client chooses its own address.
 */
export function clientAddress(c: Context<ServiceEnv>): string {
  const peer = c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1';
  if (!isLoopback(peer)) return peer;
  return c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() || peer;
}

/** Asked on this machine, and not by a proxy for somebody else. */
export function isLocalRequest(c: Context<ServiceEnv>): boolean {
  const forwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some(
    (name) => c.req.header(name) !== undefined,
  );
  return !forwarded && isLoopback(c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1');
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}
