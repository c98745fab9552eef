// Writes streams to new files.
import { createWriteStream } from 'node:fs';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { untilAborted } from '../../../renderer-core/render/promises.ts';

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
  const written = pipeline([source, ...transforms, file], { ...(signal ? { signal } : {}) });
  // From Node 22 on, `pipeline` does not end before the source has, which may wait without end.
  await (signal ? untilAborted(written, signal) : written).finally(() => closed);
  return file.bytesWritten;
}
