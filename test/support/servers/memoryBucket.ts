// The bucket of serverless renders in memory, for tests that need no S3 server.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Bucket } from '../../../serverless/bucket.ts';
import type { Parts } from '../../../serverless/store.ts';

/** `holds`: each JSON write waits for the next of these promises. */
export function memoryBucket(objects: Record<string, unknown>, holds: Promise<void>[] = []): Bucket {
  const missing = (): never => {
    throw new Error('not used here');
  };
  return {
    name: 'results',
    size: async (key) => (key in objects ? sizeOf(objects[key]) : undefined),
    getJson: async <T>(key: string) => objects[key] as T | undefined,
    async putJson(key, value) {
      const text = JSON.stringify(value);
      await holds.shift();
      objects[key] = JSON.parse(text);
    },
    list: async (prefix) =>
      Object.keys(objects)
        .filter((key) => key.startsWith(prefix))
        .map((key) => ({ key, bytes: sizeOf(objects[key]), modifiedAt: new Date(0) })),
    remove: missing,
    async upload(key, path) {
      objects[key] = await readFile(path);
    },
    async put(key, bytes) {
      objects[key] = bytes;
    },
    startParts: async (key) =>
      memoryParts((bytes) => {
        objects[key] = bytes;
      }),
    signedUrl: missing,
    async download(key, path) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytesOf(objects[key]));
    },
  };
}

const bytesOf = (value: unknown): string | Uint8Array =>
  value instanceof Uint8Array || typeof value === 'string' ? value : JSON.stringify(value);

const sizeOf = (value: unknown): number => Buffer.byteLength(bytesOf(value));

/** With S3's least size of a part. */
function memoryParts(complete: (bytes: Buffer) => void): Parts {
  const parts = new Map<number, Buffer>();
  return {
    async send(number, bytes) {
      parts.set(number, bytes);
    },
    async complete(last) {
      const used = Array.from({ length: last }, (_, index) => parts.get(index + 1) ?? Buffer.alloc(0));
      if (used.slice(0, -1).some(({ length }) => length < 5 * 1024 * 1024)) throw new Error('EntityTooSmall');
      complete(Buffer.concat(used));
    },
    abort: async () => parts.clear(),
  };
}
