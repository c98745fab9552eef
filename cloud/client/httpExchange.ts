// One HTTP request and its whole answer. Redirects are not followed: they would carry the credential elsewhere.
import { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { UserError } from '../errors.ts';
import { defaultApiUrl, isLoopback, printable } from './apiUrl.ts';
import { cancelled, mayPass } from './retry.ts';

/** `body` is opened once. */
export type HttpRequest = {
  method: 'GET' | 'POST' | 'DELETE';
  url: URL;
  headers: Record<string, string>;
  body?: string | { length?: number; open(): Readable };
  signal?: AbortSignal | undefined;
};

/** Header names are in lower case; `text` is empty when the answer broke off. */
export type HttpAnswer = { status: number; headers: Record<string, string | undefined>; text: string };

const longestAnswer = 16 * 1024 * 1024;
const connectMs = 10_000;
/** Without an answer. A large body takes the service a while when all of it has arrived. */
const silenceMs = 60_000;
const silenceAfterBodyMs = 300_000;

export function createAgent(): Agent {
  return new Agent({ connect: { timeout: connectMs }, headersTimeout: silenceMs, bodyTimeout: silenceMs });
}

/**
 * The answer, also when it comes before the body was sent. Throws UserError `service_unreachable` (may pass), `cancelled`,
 * and whatever the body's own stream fails with.
 */
export async function exchange(agent: Dispatcher, request: HttpRequest): Promise<HttpAnswer> {
  const { method, url, signal } = request;
  if (signal?.aborted) throw cancelled(signal.reason);
  let sourceFault: { error: unknown } | undefined;
  const body = bodyOf(request.body, (error) => {
    sourceFault = { error };
  });
  try {
    const answer = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: request.headers,
      ...(body === undefined ? {} : { body }),
      ...(body instanceof Readable ? { headersTimeout: silenceAfterBodyMs } : {}),
      ...(signal ? { signal } : {}),
    });
    const headers = Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
    );
    return { status: answer.statusCode, headers, text: await readText(answer, url) };
  } catch (error) {
    if (signal?.aborted) throw cancelled(error);
    if (sourceFault) throw sourceFault.error;
    throw error instanceof UserError ? error : unreachable(url, error);
  } finally {
    if (body instanceof Readable) body.destroy();
  }
}

function bodyOf(body: HttpRequest['body'], onFault: (error: unknown) => void): string | Readable | undefined {
  if (body === undefined || typeof body === 'string') return body;
  return Readable.from(chunksOf(body.open(), onFault), { objectMode: false });
}

/** Tells a fault of the source from the connection's, which also ends this stream. */
async function* chunksOf(source: Readable, onFault: (error: unknown) => void): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        onFault(error);
        throw error;
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    source.destroy();
  }
}

/** An error's status is worth more than the rest of an answer that broke off. */
async function readText({ body, statusCode }: Dispatcher.ResponseData, url: URL): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > longestAnswer)
        throw new UserError('service_answer_invalid', `The answer of ${url.origin} is too long.`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (statusCode < 400) throw error;
    return '';
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** `error` is what the HTTP client threw; Node hides what happened in causes and lists. */
export function unreachable(url: URL, error: unknown): UserError {
  const fault = innermost(error) as NodeJS.ErrnoException;
  const reason = reasons[fault.code ?? ''] ?? printable(fault.message || String(fault.code ?? fault));
  const hint = isLoopback(url)
    ? `Start the service with framework serve, or set SERVICE_API_URL to another one.`
    : 'Check the network, and SERVICE_API_URL.';
  const whose = url.origin === defaultApiUrl ? ' (the default of SERVICE_API_URL)' : '';
  return mayPass(
    new UserError('service_unreachable', `Cannot reach the service at ${url.origin}${whose}: ${reason}.`, {
      hint,
      cause: error,
    }),
  );
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing answers there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name cannot be looked up now',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  UND_ERR_CONNECT_TIMEOUT: `no connection within ${connectMs / 1000} s`,
  UND_ERR_HEADERS_TIMEOUT: 'no answer for too long',
  UND_ERR_BODY_TIMEOUT: `the answer stopped for ${silenceMs / 1000} s`,
};

function innermost(error: unknown): unknown {
  const { cause, errors } = error as { cause?: unknown; errors?: unknown[] };
  if (Array.isArray(errors) && errors.length > 0) return innermost(errors[0]);
  return cause instanceof Error ? innermost(cause) : error;
}
