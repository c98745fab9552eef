// What Hono's handlers find in a request: its ID, its account, and Node's connection.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { isLoopback } from './clientAddress.ts';

export type ServiceEnv = {
  /** Absent in tests without a connection. */
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse };
  Variables: { requestId: string; accountId: string };
};

export type ServiceApp = OpenAPIHono<ServiceEnv>;

/** The client addressed the service as this machine: `localhost`, `127.0.0.1` or `[::1]`. */
export function isToLocalHost(c: Context<ServiceEnv>): boolean {
  const { hostname } = new URL(c.req.url);
  return ['localhost', '[::1]'].includes(hostname) || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Sent from this machine, and not by a proxy for another client. */
export function isLocalRequest(c: Context<ServiceEnv>): boolean {
  const forwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some(
    (name) => c.req.header(name) !== undefined,
  );
  return !forwarded && isLoopback(c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1');
}
