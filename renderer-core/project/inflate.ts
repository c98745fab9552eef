// Unpacks files that are compressed with Brotli.
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';

export async function inflate(source: string, target: NodeJS.WritableStream, signal?: AbortSignal): Promise<void> {
  const steps = [createReadStream(source), createBrotliDecompress({ chunkSize: 1 << 20 }), target] as const;
  await pipeline(...steps, signal ? { signal } : {});
}
