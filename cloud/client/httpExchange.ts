// Sends one HTTP request and reads the whole response. Redirects are not followed: they would send the credential to
// another host.
import { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { UserError } from '../../renderer-core/errors.ts';
import { defaultApiUrl, isLoopback, printable } from './apiUrl.ts';
import { cancelled, markRetryable } from './retry.ts';

/** `body.open` is called once. */
export type HttpRequest = {
  method: 'GET' | 'POST' | 'DELETE';
  url: URL;
  headers: Record<string, string>;
  body?: string | { length?: number; open(): Readable };
  signal?: AbortSignal | undefined;
};

/** Header names are in lower case. `text` is empty when an error response was cut off. */
export type HttpResponse = { status: number; headers: Record<string, string | undefined>; text: string };

const maxResponseBytes = 16 * 1024 * 1024;
const connectTimeoutMs = 10_000;
/** The longest time without a byte from the service. After a large body, the service needs longer to process it. */
const idleTimeoutMs = 60_000;
const idleTimeoutAfterBodyMs = 300_000;

export function createAgent(): Agent {
  return new Agent({
    connect: { timeout: connectTimeoutMs },
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
  });
}

/**
 * Also returns a response that arrives before the whole body was sent. Throws UserError `service_unreachable` (marked as
 * retryable) or `cancelled`, and errors of the body's own stream.
 */
export async function exchange(agent: Dispatcher, request: HttpRequest): Promise<HttpResponse> {
  const { method, url, signal } = request;
  if (signal?.aborted) throw cancelled(signal.reason);
  let sourceError: { error: unknown } | undefined;
  const body = bodyOf(request.body, (error) => {
    sourceError = { error };
  });
  try {
    const response = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: request.headers,
      ...(body === undefined ? {} : { body }),
      ...(body instanceof Readable ? { headersTimeout: idleTimeoutAfterBodyMs } : {}),
      ...(signal ? { signal } : {}),
    });
    const headers = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
    );
    return { status: response.statusCode, headers, text: await readText(response, url) };
  } catch (error) {
    if (signal?.aborted) throw cancelled(error);
    if (sourceError) throw sourceError.error;
    throw error instanceof UserError ? error : unreachable(url, error);
  } finally {
    if (body instanceof Readable) body.destroy();
  }
}

function bodyOf(body: HttpRequest['body'], onError: (error: unknown) => void): string | Readable | undefined {
  if (body === undefined || typeof body === 'string') return body;
  return Readable.from(chunksOf(body.open(), onError), { objectMode: false });
}

/** Calls `onError` for errors of the source only: an error of the connection also ends this stream. */
async function* chunksOf(source: Readable, onError: (error: unknown) => void): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        onError(error);
        throw error;
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    source.destroy();
  }
}

/** If an error response is cut off, its status is still returned. */
async function readText({ body, statusCode }: Dispatcher.ResponseData, url: URL): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maxResponseBytes)
        throw new UserError('service_answer_invalid', `The response of ${url.origin} is larger than 16 MiB.`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (statusCode < 400) throw error;
    return '';
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** `error` comes from the HTTP client; Node puts the actual reason into nested causes. */
export function unreachable(url: URL, error: unknown): UserError {
  const cause = innermost(error) as NodeJS.ErrnoException;
  const reason = reasons[cause.code ?? ''] ?? printable(cause.message || String(cause.code ?? cause));
  const hint = isLoopback(url)
    ? 'Start the service with framework serve, or set SERVICE_API_URL to the address of a service.'
    : 'Check your network connection and SERVICE_API_URL.';
  const note = url.origin === defaultApiUrl ? ' (the default of SERVICE_API_URL)' : '';
  return markRetryable(
    new UserError('service_unreachable', `Cannot reach the service at ${url.origin}${note}: ${reason}.`, {
      hint,
      cause: error,
    }),
  );
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host does not exist',
  EAI_AGAIN: 'the DNS lookup failed',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  UND_ERR_SOCKET: 'the connection was lost',
  UND_ERR_CONNECT_TIMEOUT: `no connection within ${connectTimeoutMs / 1000} s`,
  UND_ERR_HEADERS_TIMEOUT: 'the response timed out',
  UND_ERR_BODY_TIMEOUT: `the response stalled for ${idleTimeoutMs / 1000} s`,
};

function innermost(error: unknown): unknown {
  const { cause, errors } = error as { cause?: unknown; errors?: unknown[] };
  if (Array.isArray(errors) && errors.length > 0) return innermost(errors[0]);
  return cause instanceof Error ? innermost(cause) : error;
}
