// An object store in a folder, without signed URLs: sufficient for renders.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ObjectStore } from '../../cloud/service/storage/objectStore.ts';

export function folderStore(root: string): ObjectStore {
  const place = (key: string) => join(root, key);
  const size = (key: string) =>
    stat(place(key)).then(
      (found) => found.size,
      () => undefined,
    );
  return {
    async put(key, body) {
      await mkdir(dirname(place(key)), { recursive: true });
      await pipeline(body, createWriteStream(`${place(key)}.part`));
      await rename(`${place(key)}.part`, place(key));
      return (await size(key)) ?? 0;
    },
    async get(key) {
      const bytes = await size(key);
      return bytes === undefined ? undefined : { body: createReadStream(place(key)), size: bytes };
    },
    size,
    delete: (key) => rm(place(key), { force: true }),
    signedUrl: async () => Promise.reject(new Error('this store has no URLs')),
  };
}
