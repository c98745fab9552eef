// Unpacks files that are compressed with Brotli or Zstandard.
import { createReadStream } from 'node:fs';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { statIfExists } from './statIfExists.ts';
import { zstd } from './zstd.ts';

export async function inflate(source: string, target: NodeJS.WritableStream, signal?: AbortSignal): Promise<void> {
  const steps = [createReadStream(source), unpackerOf(source), target] as const;
  await pipeline(...steps, signal ? { signal } : {});
}

/** The compressed file of `path`; undefined if there is none. */
export async function packedFile(path: string): Promise<string | undefined> {
  for (const packed of [`${path}.zst`, `${path}.br`]) if (await statIfExists(packed)) return packed;
  return undefined;
}

function unpackerOf(source: string): Transform {
  const options = { chunkSize: 1 << 20 };
  if (!source.endsWith('.zst')) return createBrotliDecompress(options);
  if (zstd) return zstd.createZstdDecompress(options);
  throw new Error(`${source} requires Node 22.15 or later`);
}
