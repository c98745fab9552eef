// The client of the hosted API: sends a request with credentials and retries, and returns the parsed JSON.
import type { Readable } from 'node:stream';
import { UserError } from '../../renderer-core/errors.ts';
import { apiUrl, printable } from './apiUrl.ts';
import { type Credential, isObject } from './auth/credentials.ts';
import { createSession, refusedCredential, type Session } from './auth/session.ts';
import { createAgent, exchange, type HttpRequest, type HttpResponse } from './httpExchange.ts';
import { invalidResponse, responseError } from './responseErrors.ts';
import { cancelled, defaultRetry, type RetryPolicy, withRetries } from './retry.ts';

export type ApiRequest = {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path from the root of the API, such as `/v3/framework/renders`. */
  path: string;
  query?: Record<string, string | number | undefined>;
  /** Sent as application/json. */
  json?: unknown;
  /** A streamed body. `open` is called again for a retry and must return the same bytes. */
  body?: { contentType: string; length?: number; open(): Readable };
  idempotencyKey?: string;
  signal?: AbortSignal;
};

/**
 * After a 401, the token is refreshed once and the request is sent again. After 429 and 5xx, the request is retried if it
 * is safe or has an idempotency key. Throws UserError with a code of the API, `service_unreachable` or
 * `service_answer_invalid`.
 */
export type ApiClient = {
  send<T>(request: ApiRequest): Promise<T>;
  /** Throws the error of a request if no user is signed in. Use it before long work that would be lost. */
  checkCredential(signal?: AbortSignal): Promise<void>;
  /** The clock by which renders are waited for. */
  clock: PollClock;
};

export type ApiClientOptions = {
  /** Reads SERVICE_API_URL, SERVICE_API_KEY, FRAMEWORK_API_KEY and HOME. */
  env: NodeJS.ProcessEnv;
  /** Version of the calling program, for the User-Agent header. */
  version: string;
  /** Used instead of the stored credential, for example to check a key before it is stored. */
  credential?: Credential;
  retry?: Partial<RetryPolicy>;
};

/** `now`: monotonic, in milliseconds. `random`: from 0 up to 1. */
export type PollClock = { now(): number; random(): number };

/** `now`: Unix milliseconds. Credentials are looked up for each request. Throws UserError `usage` when SERVICE_API_URL is invalid. */
export function createApiClient(
  { env, version, credential, retry }: ApiClientOptions,
  now: () => number,
  clock: PollClock,
): ApiClient {
  const base = apiUrl(env);
  const agent = createAgent();
  const session = credential ? fixedSession(credential) : createSession({ env, apiUrl: base, now });
  const policy: RetryPolicy = { random: clock.random, ...defaultRetry, ...retry };

  const sendOnce = async (request: ApiRequest, url: URL): Promise<unknown> => {
    const { signal } = request;
    const sendWith = (credential: Credential) => exchange(agent, httpRequest(request, url, credential, version));
    let used = await session.credential(signal);
    let response = await sendWith(used);
    if (response.status === 401) {
      const renewed = await session.renewed(used, signal);
      if (renewed) {
        used = renewed;
        response = await sendWith(renewed);
      }
    }
    return contentOf(response, url, used, now());
  };

  return {
    clock,
    async checkCredential(signal) {
      await session.credential(signal);
    },
    async send<T>(request: ApiRequest): Promise<T> {
      const url = requestUrl(base, request);
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

/** The path must not change by normalization: `..` in an id would lead to another endpoint. */
function requestUrl(base: string, { path, query = {} }: ApiRequest): URL {
  const url = new URL(base + path);
  if (url.href !== base + path || url.search || url.hash) {
    throw new UserError('invalid_parameter', `"${printable(path)}" is not a valid path of the API.`);
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

function contentOf(response: HttpResponse, url: URL, used: Credential, now: number): unknown {
  const { status, text } = response;
  if (status === 401) throw refusedCredential(used, responseError(response, url, now).message);
  if (status >= 300) throw responseError(response, url, now);
  if (status === 204) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidResponse(url, `HTTP ${status} without JSON`);
  }
  if (!isObject(value)) throw invalidResponse(url, `HTTP ${status} with JSON that is not an object`);
  return value;
}
