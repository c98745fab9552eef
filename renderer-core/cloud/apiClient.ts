// The port through which every command talks to the hosted API: one request in, the parsed answer out.
import type { Readable } from 'node:stream';

export type ApiRequest = {
  method: 'GET' | 'POST' | 'DELETE';
  /** From the root of the API: `/v3/framework/renders`. */
  path: string;
  query?: Record<string, string | number | undefined>;
  /** Sent as application/json. */
  json?: unknown;
  /** A body that is streamed. Called again when the request is replayed, and gives the same bytes. */
  body?: { contentType: string; length?: number; open(): Readable };
  idempotencyKey?: string;
  signal?: AbortSignal;
};

/**
 * A 401 is answered by one refresh of the token and one replay; 429 and 5xx are tried again where the request is safe or
 * carries an idempotency key. Throws UserError with the API's code, `service_unreachable` or `service_answer_invalid`.
 */
export type ApiClient = { send<T>(request: ApiRequest): Promise<T> };
