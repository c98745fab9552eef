// Brings a finished video: to a temporary name beside its place, over connections that may break, then renamed.
import { constants } from 'node:fs';
import { access, type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../errors.ts';
import { partialName, sweepPartials, unwritable } from '../project/partials.ts';
import type { OnCloudEvent } from './events.ts';

export type DownloadOptions = {
  /** Signed: whoever has it can read the video, so no credential is sent along. */
  url: string;
  /** A fresh URL, when this one has expired. */
  renew(): Promise<string>;
  output: string;
  signal?: AbortSignal | undefined;
  onEvent?: OnCloudEvent | undefined;
  /** Before a broken connection is tried again; it doubles each time. */
  pauseMs?: number;
};

export type Download = { path: string; bytes: number };

/** Attempts that brought nothing, one after the other; every byte that comes begins the count again. */
const mostFailures = 5;
const mostRenewals = 3;

/**
 * A file that stood at `output` stays until the new one is whole. Throws UserError `output_unwritable`, `disk_full`,
 * `download_failed`, and what `renew` throws.
 */
export async function downloadVideo(options: DownloadOptions): Promise<Download> {
  const path = resolve(options.output);
  await checkOutput(path);
  const temporary = join(dirname(path), partialName(basename(path)));
  let file: FileHandle | undefined;
  try {
    await mkdir(dirname(path), { recursive: true });
    await sweepPartials(dirname(path), [basename(path)]);
    // An earlier attempt of this process may have left one; whatever else has that name is not written through.
    await rm(temporary, { force: true });
    file = await open(temporary, 'wx');
    const bytes = await fetchInto(file, options);
    await file.sync();
    await file.close();
    file = undefined;
    await rename(temporary, path);
    return { path, bytes };
  } catch (error) {
    await file?.close().catch(() => undefined);
    await rm(temporary, { force: true }).catch(() => undefined);
    throw fileError(error, path);
  }
}

/** Whether a file can be put there: asked before anything is sent. Makes nothing. Throws UserError `output_unwritable`. */
export async function checkOutput(output: string): Promise<void> {
  const path = resolve(output);
  const existing = await stat(path).catch(() => undefined);
  if (existing && !existing.isFile()) {
    throw new UserError('output_unwritable', `${path} is ${existing.isDirectory() ? 'a folder' : 'no file'}`, {
      hint: 'Name a file with --output.',
    });
  }
  // The folder may be still to be made: then the nearest one above it counts.
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    try {
      await access(folder, constants.W_OK);
      if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error('no folder'), { code: 'ENOTDIR' });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder)
        throw unwritable(folder, error);
    }
  }
}

/** What has arrived of one version of the file: a resumed part must be of the same. */
type Received = { bytes: number; total: number | null; version: string | null };

/** An attempt that failed and may work in a moment. */
class Interrupted extends Error {
  readonly isExpired: boolean;
  readonly waitMs: number;
  constructor(
    message: string,
    { isExpired = false, waitMs = 0, cause }: { isExpired?: boolean; waitMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.isExpired = isExpired;
    this.waitMs = waitMs;
  }
}

async function fetchInto(file: FileHandle, options: DownloadOptions): Promise<number> {
  const { renew, onEvent, signal, pauseMs = 1000 } = options;
  const received: Received = { bytes: 0, total: null, version: null };
  let { url } = options;
  let failures = 0;
  let renewals = 0;
  for (;;) {
    const before = received.bytes;
    try {
      await fetchPart(file, url, received, options);
      return received.bytes;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Interrupted)) throw error;
      if (error.isExpired && renewals++ < mostRenewals) {
        url = await renew();
        continue;
      }
      failures = received.bytes > before ? 0 : failures + 1;
      if (error.isExpired || failures >= mostFailures) throw failed(error, received);
      const inMs = Math.max(error.waitMs, pauseMs * 2 ** failures);
      onEvent?.({ type: 'retry', stage: 'download', message: error.message, inMs });
      await sleep(inMs, undefined, signal ? { signal } : {});
    }
  }
}

/** From what is there already to the end. Throws Interrupted, and what writing throws. */
async function fetchPart(file: FileHandle, url: string, received: Received, options: DownloadOptions): Promise<void> {
  const response = await request(url, received, options.signal);
  await settle(file, response, received);
  options.onEvent?.({ type: 'bytes', stage: 'download', done: received.bytes, total: received.total });
  for await (const chunk of bodyOf(response)) {
    if (received.total !== null && received.bytes + chunk.length > received.total) {
      throw new Interrupted('more came than was announced');
    }
    await writeAll(file, chunk, received.bytes);
    received.bytes += chunk.length;
    options.onEvent?.({ type: 'bytes', stage: 'download', done: received.bytes, total: received.total });
  }
  if (received.total !== null && received.bytes < received.total) throw new Interrupted('the connection was cut');
  if (received.bytes === 0) throw new Interrupted('the file is empty');
}

/** A disk that is nearly full takes a part, and says why at the next. */
async function writeAll(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    done += (await file.write(chunk, done, chunk.length - done, position + done)).bytesWritten;
  }
}

async function request(url: string, { bytes, version }: Received, signal: AbortSignal | undefined): Promise<Response> {
  // Without a version, a part could be one of another file.
  const isResumed = bytes > 0 && version !== null;
  const range = isResumed ? { range: `bytes=${bytes}-`, 'if-range': version } : {};
  try {
    // Compressed on the way, its length would not be the file's.
    return await fetch(url, { headers: { 'accept-encoding': 'identity', ...range }, ...(signal ? { signal } : {}) });
  } catch (error) {
    throw new Interrupted(networkReason(error), { cause: error });
  }
}

/** Finds out from the answer's head where its body belongs. Throws Interrupted for every answer without a usable body. */
async function settle(file: FileHandle, response: Response, received: Received): Promise<void> {
  const { status, headers } = response;
  const length = headers.get('content-length');
  if (status === 206) {
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
    if (Number(start) === received.bytes) {
      if (total !== '*' && total !== undefined) received.total = Number(total);
      return;
    }
    await begin(file, received);
    await response.body?.cancel();
    throw new Interrupted('another part came than was asked for');
  }
  if (status === 200) {
    await begin(file, received);
    received.total = length === null ? null : Number(length);
    const etag = headers.get('etag');
    // Only a strong validator tells that not a byte has changed.
    received.version = etag !== null && !etag.startsWith('W/') ? etag : headers.get('last-modified');
    return;
  }
  await response.body?.cancel();
  if (status === 416) await begin(file, received);
  const isExpired = status === 401 || status === 403 || status === 404 || status === 410;
  const isPassing = isExpired || status === 416 || status === 408 || status === 429 || status >= 500;
  const message = `HTTP ${status}`;
  if (!isPassing) throw failed(new Error(message), received);
  throw new Interrupted(message, { isExpired, waitMs: retryAfterMs(headers.get('retry-after')) });
}

async function begin(file: FileHandle, received: Received): Promise<void> {
  await file.truncate(0);
  Object.assign(received, { bytes: 0, total: null, version: null });
}

async function* bodyOf(response: Response): AsyncGenerator<Uint8Array> {
  try {
    yield* response.body ?? [];
  } catch (error) {
    throw new Interrupted(networkReason(error), { cause: error });
  }
}

/** A minute at most: who asks for more is asked again. */
const longestWaitMs = 60_000;

function retryAfterMs(text: string | null): number {
  const seconds = Number(text);
  return text !== null && Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, longestWaitMs) : 0;
}

/** Node hides what happened (ECONNRESET, ENOTFOUND) in the cause. */
function networkReason(error: unknown): string {
  const cause = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  return cause.message || String(cause.code ?? cause);
}

function failed(error: Error, { bytes, total }: Received): UserError {
  const part = bytes > 0 ? ` after ${bytes}${total === null ? '' : ` of ${total}`} bytes` : '';
  return new UserError('download_failed', `The video could not be downloaded${part}: ${error.message}`, {
    cause: error,
  });
}

/** What the file system refuses, in words; everything else as it is. */
export function fileError(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (error instanceof UserError || (error as Error).name === 'AbortError') return error;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new UserError('disk_full', `The disk has no room for ${path}`, {
      hint: 'Make room, or name a place on another disk with --output.',
      cause: error,
    });
  }
  return code === '' ? error : unwritable(dirname(path), error);
}
