// A folder as a store: on one machine, or on a disk that several machines share.
import { randomUUID } from 'node:crypto';
import { copyFile, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { createFolder } from '../../renderer-core/project/output/outputTarget.ts';
import { pathInside } from '../../renderer-core/project/pathInside.ts';
import type { ListedObject, Parts, Store } from '../store.ts';

/** Files appear completely or not at all, also if several processes write the same one. */
export function openFolder(root: string): Store {
  const at = (key: string): string => {
    const path = join(root, key);
    // Keys of a job may come from another machine.
    if (!pathInside(root, path)) throw new Error(`the key ${key} leads out of ${root}`);
    return path;
  };
  const put = async (key: string, bytes: Buffer | string) => replace(at(key), (path) => writeFile(path, bytes));
  return {
    size: (key) => orUndefined(async () => (await stat(at(key))).size),
    getJson: <T>(key: string) => orUndefined(async () => JSON.parse(await readFile(at(key), 'utf8')) as T),
    putJson: (key, value) => put(key, JSON.stringify(value)),
    put,
    upload: async (key, from) => replace(at(key), (path) => copyFile(from, path)),
    download: (key, to) => replace(to, (path) => copyFile(at(key), path)),
    list: (prefix, { deep } = { deep: true }) => listFiles(root, prefix, deep),
    startParts: async (key) => startParts(at(key)),
  };
}

const partial = '.partial';

/** Writes a file next to `path` first. */
async function replace(path: string, write: (temporary: string) => Promise<unknown>): Promise<void> {
  await createFolder(dirname(path));
  const temporary = `${path}.${randomUUID()}${partial}`;
  try {
    await write(temporary);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function listFiles(root: string, prefix: string, deep: boolean): Promise<ListedObject[]> {
  const folder = join(root, prefix.slice(0, prefix.lastIndexOf('/') + 1));
  const entries = (await orUndefined(() => readdir(folder, { recursive: deep, withFileTypes: true }))) ?? [];
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const key = relative(root, path).replaceAll(sep, '/');
      if (!entry.isFile() || !key.startsWith(prefix) || key.includes(partial)) return [];
      // Another process may have replaced it in the meantime.
      const facts = await orUndefined(() => stat(path));
      return facts ? [{ key, bytes: facts.size, modifiedAt: facts.mtime }] : [];
    }),
  );
  return found.flat().sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** The parts are files until the last one is known. */
async function startParts(path: string): Promise<Parts> {
  const folder = `${path}.${randomUUID()}${partial}s`;
  await createFolder(folder);
  const partAt = (number: number) => join(folder, String(number));
  const abort = () => rm(folder, { recursive: true, force: true });
  return {
    send: (number, bytes) => writeFile(partAt(number), bytes),
    async complete(last) {
      await replace(path, async (temporary) => {
        const file = await open(temporary, 'w');
        try {
          for (let number = 1; number <= last; number++) await file.writeFile(await readFile(partAt(number)));
        } finally {
          await file.close();
        }
      });
      await abort();
    },
    abort,
  };
}

async function orUndefined<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
