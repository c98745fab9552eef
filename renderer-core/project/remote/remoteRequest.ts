// One file over http or https: redirects followed, passing faults tried again, within limits of size and time.
import { setTimeout as sleep } from 'node:timers/promises';
import { notPublic } from './publicAddress.ts';
import { fetchOver, type Network } from './publicFetch.ts';

/** An answer that is being read. `url` is where redirects ended; header names are in lower case. */
export type RemoteFile = { url: string; headers: Record<string, string>; body: AsyncIterable<Uint8Array> };

export type RemoteRequest = {
  url: string;
  headers: Record<string, string>;
  /** Headers of an earlier answer, to ask whether it still holds. */
  known: Record<string, string> | undefined;
  signal: AbortSignal;
  network: Network;
  /** Default: 1 GiB. */
  maxBytes?: number;
  /** Whether to go on to http is refused. */
  secureOnly?: boolean;
};

type FailureDetails = { status?: number; headers?: Record<string, string>; isPassing?: boolean; cause?: unknown };

/** A file that could not be had; the message is for people. */
export class RemoteFailure extends Error {
  /** What the host answered, if it did. */
  readonly status: number | undefined;
  readonly headers: Record<string, string>;
  /** Whether it may work in a moment: no connection, or a host in trouble. */
  readonly isPassing: boolean;

  constructor(message: string, { status, headers = {}, isPassing = false, cause }: FailureDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.headers = headers;
    this.isPassing = isPassing;
  }
}

const mostBytes = 1024 ** 3;
/** For one file, with all that is tried again. */
const timeLimitMs = 120_000;
/** With a copy at hand nobody waits long to hear that it still holds. */
const revalidationLimitMs = 5_000;
const maxRedirects = 5;
const pausesMs = [250, 1000];

/** Gives the answer to `receive`, once more from the start when its body breaks off. 'unchanged' when `known` still holds. */
export async function requestFile<T>(
  request: RemoteRequest,
  receive: (file: RemoteFile) => Promise<T>,
): Promise<T | 'unchanged'> {
  const limit = AbortSignal.timeout(timeLimitMs);
  const signal = AbortSignal.any([request.signal, limit]);
  for (let attempt = 0; ; attempt++) {
    try {
      const file = await follow({ ...request, signal });
      return file === 'unchanged' ? file : await receive(file);
    } catch (error) {
      request.signal.throwIfAborted();
      if (limit.aborted) throw tooSlow(timeLimitMs);
      const pause = pausesMs[attempt];
      // With a copy at hand, that is used instead of trying again.
      if (!(error instanceof RemoteFailure) || !error.isPassing || request.known || pause === undefined) throw error;
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function follow(request: RemoteRequest): Promise<RemoteFile | 'unchanged'> {
  let { url } = request;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    if (request.secureOnly && new URL(url).protocol !== 'https:')
      throw new RemoteFailure(`${withoutQuery(url)} is not https`);
    const response = await ask({ ...request, url });
    const location = [301, 302, 303, 307, 308].includes(response.status) ? response.headers.get('location') : null;
    if (location === null) return readAnswer({ ...request, url }, response);
    await response.body?.cancel();
    if (!URL.canParse(location, url)) throw new RemoteFailure(`it redirects to "${location}", which is no URL`);
    url = new URL(location, url).href;
    if (!/^https?:/.test(url)) throw new RemoteFailure(`it redirects to ${url}, which is neither http nor https`);
  }
  throw new RemoteFailure(`it redirects more than ${maxRedirects} times`);
}

async function ask({ url, headers, known, signal, network }: RemoteRequest): Promise<Response> {
  const late = new AbortController();
  const timer = known ? setTimeout(() => late.abort(), revalidationLimitMs) : undefined;
  try {
    const fetchFile = await fetchOver(network);
    return await fetchFile(url, {
      headers: { ...headers, ...conditions(known) },
      redirect: 'manual',
      signal: AbortSignal.any([signal, late.signal]),
    });
  } catch (error) {
    throw late.signal.aborted ? tooSlow(revalidationLimitMs) : networkFailure(error);
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

async function readAnswer(
  { url, known, maxBytes = mostBytes }: RemoteRequest,
  response: Response,
): Promise<RemoteFile | 'unchanged'> {
  const { status } = response;
  const headers = Object.fromEntries(response.headers);
  if (status === 200) return { url, headers, body: limited(response, maxBytes) };
  await response.body?.cancel();
  if (status === 304 && known) return 'unchanged';
  throw new RemoteFailure(`HTTP ${status}`, { status, headers, isPassing: status >= 500 || status === 429 });
}

/** The bytes as they come, as long as they are not too many. */
async function* limited(response: Response, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > maxBytes) throw new RemoteFailure(`it is larger than ${inWords(maxBytes)}`);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof RemoteFailure ? error : networkFailure(error);
  }
}

/** A query may hold a key. */
export const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

const inWords = (bytes: number): string =>
  bytes >= 1024 ** 3 ? `${bytes / 1024 ** 3} GiB` : `${Math.round(bytes / 1024 ** 2)} MB`;

const tooSlow = (limitMs: number) => new RemoteFailure(`no answer after ${limitMs / 1000} s`, { isPassing: true });

/** Node hides what happened (ENOTFOUND, ECONNREFUSED, a bad certificate) in the cause. */
function networkFailure(error: unknown): RemoteFailure {
  const cause = ((error as Error).cause ?? error) as NodeJS.ErrnoException & { errors?: Error[] };
  const message = cause.message || cause.errors?.[0]?.message || String(cause.code ?? cause);
  return new RemoteFailure(message, { isPassing: cause.code !== notPublic, cause: error });
}
