// Downloads one file over http or https: follows redirects, retries temporary errors, and limits size and time.

import { setTimeout as sleep } from 'node:timers/promises';
import { notPublic } from './publicAddress.ts';
import { fetchOver, type Network } from './publicFetch.ts';

/** A response. `url` is the final URL after redirects; header names are in lower case. */
export type RemoteFile = { url: string; headers: Record<string, string>; body: AsyncIterable<Uint8Array> };

export type RemoteRequest = {
  url: string;
  headers: Record<string, string>;
  /** Headers of the cached response, for revalidation. */
  known: Record<string, string> | undefined;
  signal: AbortSignal;
  network: Network;
  /** Default: 1 GiB. */
  maxBytes?: number;
  /** Refuses redirects to http. */
  secureOnly?: boolean;
  /** Refuses redirects to other hosts. */
  sameHost?: boolean;
  /** Whether it may be loaded from a host, also after redirects. Default: from all. */
  mayLoadFrom?: ((hostname: string) => boolean) | undefined;
};

type FailureDetails = { status?: number; headers?: Record<string, string>; isTemporary?: boolean; cause?: unknown };

/** A file that could not be downloaded. */
export class RemoteFailure extends Error {
  /** The HTTP status; undefined without a response. */
  readonly status: number | undefined;
  readonly headers: Record<string, string>;
  /** Whether a retry may succeed: there was no connection, or the host failed. */
  readonly isTemporary: boolean;

  constructor(message: string, { status, headers = {}, isTemporary = false, cause }: FailureDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.headers = headers;
    this.isTemporary = isTemporary;
  }
}

const defaultMaxBytes = 1024 ** 3;
/** For one file, including all retries. */
const timeoutMs = 120_000;
const revalidationTimeoutMs = 5_000;
const maxRedirects = 5;
const retryDelaysMs = [250, 1000];

/**
 * Passes the response to `receive`, and again from the start when the connection is lost. Returns 'unchanged' when the
 * cached response is still valid. Throws RemoteFailure.
 */
export async function requestFile<T>(
  request: RemoteRequest,
  receive: (file: RemoteFile) => Promise<T>,
): Promise<T | 'unchanged'> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([request.signal, timeout]);
  for (let attempt = 0; ; attempt++) {
    try {
      const file = await follow({ ...request, signal });
      return file === 'unchanged' ? file : await receive(file);
    } catch (error) {
      request.signal.throwIfAborted();
      if (timeout.aborted) throw timedOut(timeoutMs);
      const delay = retryDelaysMs[attempt];
      // The caller uses the cached copy instead of a retry.
      if (!(error instanceof RemoteFailure) || !error.isTemporary || request.known || delay === undefined) throw error;
      // Rejects only when the signal aborts, which the next attempt reports.
      await sleep(delay, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function follow(request: RemoteRequest): Promise<RemoteFile | 'unchanged'> {
  let { url } = request;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    if (request.secureOnly && new URL(url).protocol !== 'https:')
      throw new RemoteFailure(`${withoutQuery(url)} must use https`);
    const { hostname } = new URL(url);
    if (request.mayLoadFrom?.(hostname) === false)
      throw new RemoteFailure(`${hostname} is not one of the allowed hosts`);
    const response = await send({ ...request, url });
    const location = [301, 302, 303, 307, 308].includes(response.status) ? response.headers.get('location') : null;
    if (location === null) return readResponse({ ...request, url }, response);
    await response.body?.cancel();
    if (!URL.canParse(location, url)) throw new RemoteFailure(`it redirects to "${location}", which is not a URL`);
    const { host } = new URL(url);
    url = new URL(location, url).href;
    if (request.sameHost && new URL(url).host !== host)
      throw new RemoteFailure(`it redirects to another host: ${withoutQuery(url)}`);
    if (!/^https?:/.test(url)) throw new RemoteFailure(`it redirects to ${url}, which is neither http nor https`);
  }
  throw new RemoteFailure(`it redirects more than ${maxRedirects} times`);
}

async function send({ url, headers, known, signal, network }: RemoteRequest): Promise<Response> {
  const timeout = new AbortController();
  const timer = known ? setTimeout(() => timeout.abort(), revalidationTimeoutMs) : undefined;
  try {
    const fetchFile = await fetchOver(network);
    return await fetchFile(url, {
      headers: { ...headers, ...conditions(known) },
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout.signal]),
    });
  } catch (error) {
    throw timeout.signal.aborted ? timedOut(revalidationTimeoutMs) : networkFailure(error);
  } finally {
    clearTimeout(timer);
  }
}

function conditions(known: RemoteRequest['known']): Record<string, string> {
  const { etag, 'last-modified': modified } = known ?? {};
  return {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(modified === undefined ? {} : { 'if-modified-since': modified }),
  };
}

async function readResponse(
  { url, known, maxBytes = defaultMaxBytes }: RemoteRequest,
  response: Response,
): Promise<RemoteFile | 'unchanged'> {
  const { status } = response;
  const headers = Object.fromEntries(response.headers);
  if (status === 200) return { url, headers, body: limited(response, maxBytes) };
  await response.body?.cancel();
  if (status === 304 && known) return 'unchanged';
  throw new RemoteFailure(`HTTP ${status}`, { status, headers, isTemporary: status >= 500 || status === 429 });
}

async function* limited(response: Response, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > maxBytes) throw new RemoteFailure(`it is larger than ${sizeText(maxBytes)}`);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof RemoteFailure ? error : networkFailure(error);
  }
}

/** The query may contain a key. */
export const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

const sizeText = (bytes: number): string =>
  bytes >= 1024 ** 3 ? `${bytes / 1024 ** 3} GiB` : `${Math.round(bytes / 1024 ** 2)} MB`;

const timedOut = (ms: number) => new RemoteFailure(`no response after ${ms / 1000} s`, { isTemporary: true });

/** Node puts the actual reason (ENOTFOUND, ECONNREFUSED, an invalid certificate) into the cause. */
function networkFailure(error: unknown): RemoteFailure {
  const cause = ((error as Error).cause ?? error) as NodeJS.ErrnoException & { errors?: Error[] };
  const message = cause.message || cause.errors?.[0]?.message || String(cause.code ?? cause);
  return new RemoteFailure(message, { isTemporary: cause.code !== notPublic, cause: error });
}
