// The bucket of serverless renders in memory, for tests that need no S3 server.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Bucket } from '../../serverless/bucket.ts';

/** `holds`: each JSON write waits for the next of these promises. */
export function memoryBucket(objects: Record<string, unknown>, holds: Promise<void>[] = []): Bucket {
  const missing = (): never => {
    throw new Error('not used here');
  };
  return {
    name: 'results',
    size: async (key) => (key in objects ? 1 : undefined),
    getJson: async <T>(key: string) => objects[key] as T | undefined,
    async putJson(key, value) {
      const text = JSON.stringify(value);
      await holds.shift();
      objects[key] = JSON.parse(text);
    },
    async createJson(key, value) {
      if (key in objects) return false;
      objects[key] = value;
      return true;
    },
    list: async (prefix) =>
      Object.keys(objects)
        .filter((key) => key.startsWith(prefix))
        .map((key) => ({ key, bytes: 1, modifiedAt: new Date(0) })),
    remove: missing,
    async upload(key, path) {
      objects[key] = await readFile(path, 'utf8');
    },
    signedUrl: missing,
    async download(key, path) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, String(objects[key]));
    },
  };
}
