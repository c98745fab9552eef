// Downloads a finished video to a temporary file, resumes after lost connections, and renames the file when it is complete.
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../renderer-core/errors.ts';
import type { WriteBytes } from '../../renderer-core/project/output/outputStream.ts';
import { openFileOutput } from '../../renderer-core/project/output/outputTarget.ts';
import { unwritable } from '../../renderer-core/project/output/tempFiles.ts';
import type { OnCloudEvent } from './cloudEvents.ts';

export type DownloadOptions = {
  /** A signed URL; no credential is sent with it. */
  url: string;
  /** Returns a new URL when this one has expired. */
  renew(): Promise<string>;
  /** A file, a device or a pipe, or `-` for `stdout`. */
  output: string;
  /** Writes to standard output. */
  stdout?: WriteBytes | undefined;
  signal?: AbortSignal | undefined;
  onEvent?: OnCloudEvent | undefined;
  /** Delay before the first retry; it doubles each time. Default 1 s. */
  pauseMs?: number;
};

/** `path` is absolute, or `-`. */
export type Download = { path: string; bytes: number };

/** Consecutive attempts without a single new byte. */
const maxFailures = 5;
const maxRenewals = 3;

/**
 * An existing file at `output` is replaced when the download is complete. Throws UserError `output_unwritable`,
 * `output_closed`, `disk_full`, `download_failed`, and errors of `renew`.
 */
export async function downloadVideo(options: DownloadOptions): Promise<Download> {
  const target = await openFileOutput(options.output, options);
  let file: FileHandle | undefined;
  try {
    file = await open(target.temporary, 'wx');
    await fetchInto(file, options);
    await file.sync();
    await file.close();
    file = undefined;
    return { path: target.path, bytes: await target.commit() };
  } catch (error) {
    throw fileError(error, target.path);
  } finally {
    // The error that is thrown says more.
    await file?.close().catch(() => undefined);
    await target.discard();
  }
}

/** The received part. A resumed download must continue the same `version` (ETag or Last-Modified) of the file. */
type Received = { bytes: number; total: number | null; version: string | null };

/** A temporary error; the download is resumed. */
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
      if (error.isExpired && renewals++ < maxRenewals) {
        url = await renew();
        continue;
      }
      failures = received.bytes > before ? 0 : failures + 1;
      if (error.isExpired || failures >= maxFailures) throw failed(error, received);
      const inMs = Math.max(error.waitMs, pauseMs * 2 ** failures);
      onEvent?.({ type: 'retry', stage: 'download', message: error.message, inMs });
      await sleep(inMs, undefined, signal ? { signal } : {});
    }
  }
}

/** Downloads the rest of the file. Throws Interrupted, and errors of the disk. */
async function fetchPart(file: FileHandle, url: string, received: Received, options: DownloadOptions): Promise<void> {
  const response = await request(url, received, options.signal);
  await readHead(file, response, received);
  options.onEvent?.({ type: 'bytes', stage: 'download', done: received.bytes, total: received.total });
  for await (const chunk of bodyOf(response)) {
    if (received.total !== null && received.bytes + chunk.length > received.total) {
      throw new Interrupted('the response is longer than its Content-Length');
    }
    await writeAll(file, chunk, received.bytes);
    received.bytes += chunk.length;
    options.onEvent?.({ type: 'bytes', stage: 'download', done: received.bytes, total: received.total });
  }
  if (received.total !== null && received.bytes < received.total) throw new Interrupted('the connection was lost');
  if (received.bytes === 0) throw new Interrupted('the file is empty');
}

/** A nearly full disk may write only a part of the chunk, and fails at the next write. */
async function writeAll(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    done += (await file.write(chunk, done, chunk.length - done, position + done)).bytesWritten;
  }
}

async function request(url: string, { bytes, version }: Received, signal: AbortSignal | undefined): Promise<Response> {
  // Without a version, the rest could belong to another file.
  const isResumed = bytes > 0 && version !== null;
  const range = isResumed ? { range: `bytes=${bytes}-`, 'if-range': version } : {};
  try {
    // With compression, Content-Length would not be the length of the file.
    return await fetch(url, { headers: { 'accept-encoding': 'identity', ...range }, ...(signal ? { signal } : {}) });
  } catch (error) {
    throw new Interrupted(networkReason(error), { cause: error });
  }
}

/** Reads status and headers, and prepares `file` for the body. Throws Interrupted when the body cannot be used. */
async function readHead(file: FileHandle, response: Response, received: Received): Promise<void> {
  const { status, headers } = response;
  const length = headers.get('content-length');
  if (status === 206) {
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
    if (Number(start) === received.bytes) {
      if (total !== '*' && total !== undefined) received.total = Number(total);
      return;
    }
    await restart(file, received);
    await response.body?.cancel();
    throw new Interrupted('the service returned a different range than requested');
  }
  if (status === 200) {
    await restart(file, received);
    received.total = length === null ? null : Number(length);
    const etag = headers.get('etag');
    // Only a strong ETag guarantees identical bytes.
    received.version = etag !== null && !etag.startsWith('W/') ? etag : headers.get('last-modified');
    return;
  }
  await response.body?.cancel();
  if (status === 416) await restart(file, received);
  const isExpired = status === 401 || status === 403 || status === 404 || status === 410;
  const isTemporary = isExpired || status === 416 || status === 408 || status === 429 || status >= 500;
  const message = `HTTP ${status}`;
  if (!isTemporary) throw failed(new Error(message), received);
  throw new Interrupted(message, { isExpired, waitMs: retryAfterMs(headers.get('retry-after')) });
}

async function restart(file: FileHandle, received: Received): Promise<void> {
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

/** A longer Retry-After is shortened to this. */
const maxRetryAfterMs = 60_000;

function retryAfterMs(text: string | null): number {
  const seconds = Number(text);
  return text !== null && Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, maxRetryAfterMs) : 0;
}

/** Node puts the actual reason (ECONNRESET, ENOTFOUND) into the cause. */
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

/** Converts errors of the file system to UserError; returns any other error unchanged. */
export function fileError(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (error instanceof UserError || (error as Error).name === 'AbortError') return error;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new UserError('disk_full', `The disk has no space for ${path}`, {
      hint: 'Free some space, or choose a folder on another disk with --output.',
      cause: error,
    });
  }
  return code === '' ? error : unwritable(dirname(path), error);
}
