// Writes streams to new files.
import { createWriteStream } from 'node:fs';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes a stream to `path`, which must not exist, and returns the number of bytes. After an error the file is closed,
 * and the caller deletes it. `pipeline` alone can fail while the file is still being opened: the file would then appear
 * after the caller has deleted it.
 */
export async function writeNewFile(
  path: string,
  [source, ...transforms]: readonly [Readable, ...Transform[]],
  { flush = false, signal }: { flush?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<number> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush });
  const closed = new Promise<void>((resolve) => file.once('close', () => resolve()));
  await pipeline([source, ...transforms, file], { ...(signal ? { signal } : {}) }).finally(() => closed);
  return file.bytesWritten;
}
