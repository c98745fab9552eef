// The port through which every command talks to the hosted API: one request in, the parsed answer out; and its implementation.
import type { Readable } from 'node:stream';
import { UserError } from '../errors.ts';
import { answerError, answerInvalid } from './answerErrors.ts';
import { apiUrl, printable } from './apiUrl.ts';
import { type Credential, isObject } from './credentials.ts';
import { createAgent, exchange, type HttpAnswer, type HttpRequest } from './httpExchange.ts';
import { cancelled, defaultRetry, type RetryPolicy, withRetries } from './retry.ts';
import { createSession, refusedCredential, type Session } from './session.ts';

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

export type ApiClientOptions = {
  /** SERVICE_API_URL, and what credentials are found by: SERVICE_API_KEY, FRAMEWORK_API_KEY, HOME. */
  env: NodeJS.ProcessEnv;
  /** Of this program, for the User-Agent. */
  version: string;
  /** Used instead of what is found: a key that is tried before it is stored. */
  credential?: Credential;
  retry?: Partial<RetryPolicy>;
  now?: () => number;
};

/** Throws UserError `usage` when SERVICE_API_URL is none. Credentials are looked for at each request. */
export function createApiClient({ env, version, credential, retry, now = Date.now }: ApiClientOptions): ApiClient {
  const base = apiUrl(env);
  const agent = createAgent();
  const session = credential ? fixedSession(credential) : createSession({ env, apiUrl: base, now });
  const policy: RetryPolicy = { ...defaultRetry, ...retry };

  const sendOnce = async (request: ApiRequest, url: URL): Promise<unknown> => {
    const { signal } = request;
    const ask = (one: Credential) => exchange(agent, httpRequest(request, url, one, version));
    let used = await session.credential(signal);
    let answer = await ask(used);
    if (answer.status === 401) {
      const other = await session.renewed(used, signal);
      if (other) {
        used = other;
        answer = await ask(other);
      }
    }
    return contentOf(answer, url, used, now());
  };

  return {
    async send<T>(request: ApiRequest): Promise<T> {
      const url = addressOf(base, request);
      const isSafe = request.method !== 'POST' || request.idempotencyKey !== undefined;
      try {
        return (await withRetries(
          () => sendOnce(request, url),
          isSafe ? policy : { ...policy, attempts: 1 },
          request.signal,
        )) as T;
      } catch (error) {
        if (request.signal?.aborted && !(error instanceof UserError)) throw cancelled(error);
        throw error;
      }
    },
  };
}

function fixedSession(credential: Credential): Session {
  return { credential: async () => credential, renewed: async () => undefined };
}

/** Nothing in the path may lead to another address than the one that stands there. */
function addressOf(base: string, { path, query = {} }: ApiRequest): URL {
  const url = new URL(base + path);
  if (url.href !== base + path || url.search || url.hash) {
    throw new UserError('invalid_parameter', `"${printable(path)}" is not an address of the API.`);
  }
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function httpRequest(request: ApiRequest, url: URL, credential: Credential, version: string): HttpRequest {
  const { method, json, body, idempotencyKey, signal } = request;
  const headers: Record<string, string> = {
    accept: 'application/json',
    'user-agent': `framework/${version}`,
    ...(credential.kind === 'oauth'
      ? { authorization: `Bearer ${credential.tokens.access_token}` }
      : { 'x-api-key': credential.key }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  };
  if (body) {
    headers['content-type'] = body.contentType;
    if (body.length !== undefined) headers['content-length'] = String(body.length);
    return { method, url, headers, body, signal };
  }
  if (json === undefined) return { method, url, headers, signal };
  headers['content-type'] = 'application/json';
  return { method, url, headers, body: JSON.stringify(json), signal };
}

function contentOf(answer: HttpAnswer, url: URL, used: Credential, now: number): unknown {
  const { status, text } = answer;
  if (status === 401) throw refusedCredential(used, answerError(answer, url, now).message);
  if (status >= 300) throw answerError(answer, url, now);
  if (status === 204) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw answerInvalid(url, `HTTP ${status} without JSON`);
  }
  if (!isObject(value)) throw answerInvalid(url, `HTTP ${status} with JSON that is no object`);
  return value;
}
