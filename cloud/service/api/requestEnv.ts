// What handlers find beside a request: who asks, the number of the request, and the connection it came over.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'hono';
import { isLoopback } from './clientAddress.ts';

export type ServiceEnv = {
  /** Absent in tests that need no connection. */
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse };
  Variables: { requestId: string; accountId: string };
};

/** Asked on this machine, and not by a proxy for somebody else. */
export function isLocalRequest(c: Context<ServiceEnv>): boolean {
  const forwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some(
    (name) => c.req.header(name) !== undefined,
  );
  return !forwarded && isLoopback(c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1');
}
