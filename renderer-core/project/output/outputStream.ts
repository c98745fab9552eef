// Copies a finished output to a device, a named pipe or standard output.

import { close, constants, createReadStream, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../errors.ts';
import type { OutputPlace } from './outputPath.ts';
import { unwritable } from './tempFiles.ts';

/** Resolves when the bytes have been accepted. */
export type WriteBytes = (data: Uint8Array) => Promise<void>;

type Stream = Exclude<OutputPlace, { kind: 'file' }>;

/** Throws UserError `output_closed`, `disk_full` or `output_unwritable`. A pipe waits until a program reads it. */
export async function copyToStream(
  file: string,
  place: Stream,
  stdout: WriteBytes | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    const writer = await openWriter(place, stdout, signal);
    await pipeline(createReadStream(file), writer, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw streamError(place.kind === 'stdout' ? 'standard output' : place.path, error);
  }
}

async function openWriter(place: Stream, stdout: WriteBytes | undefined, signal?: AbortSignal): Promise<Writable> {
  if (place.kind === 'stdout') {
    return new Writable({
      write(data: Uint8Array, _, done) {
        (stdout ?? (async () => undefined))(data).then(() => done(), done);
      },
    });
  }
  // Without O_CREAT, a device that was removed in the meantime is not replaced by a file.
  if (!place.isPipe) return (await open(place.path, constants.O_WRONLY)).createWriteStream();
  return new Socket({ fd: await openPipe(place.path, signal), readable: false, writable: true });
}

const pollMs = 50;

/** Opening a pipe without a reader would block a thread of this process, so that it could not end. */
async function openPipe(path: string, signal: AbortSignal | undefined): Promise<number> {
  for (;;) {
    signal?.throwIfAborted();
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
    }
    await sleep(pollMs, undefined, signal ? { signal } : {});
  }
}

/** A program that waits for the first byte of a pipe would wait forever after a failure. */
export async function closeUnusedPipe(path: string): Promise<void> {
  try {
    const pipe = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    await new Promise((resolve) => close(pipe, resolve));
  } catch {
    // No program reads it.
  }
}

function streamError(name: string, error: unknown): UserError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'EOF'].includes(code)) {
    return new UserError('output_closed', `The program that reads ${name} has closed it`, { cause: error });
  }
  if (code === 'ENOSPC') {
    return new UserError('disk_full', `${name} is full`, {
      hint: 'Free some space, or set --output to another file or device.',
      cause: error,
    });
  }
  return unwritable(name, error);
}
