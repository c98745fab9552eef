// Files of other hosts on disk: contents by their SHA-256, and for each URL a small record of what it gave.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheEntry, cacheFault } from './cacheFolder.ts';
import type { RemoteFile } from './remoteRequest.ts';

/** A file as it lies in the store. `url` is where redirects ended; `headers` are those of its answer. */
export type StoredFile = { url: string; path: string; size: number; headers: Record<string, string> };

export type RemoteStore = {
  /** What `url` gave last; undefined when that is not known, or no longer whole. */
  find(url: string): Promise<StoredFile | undefined>;
  /** Keeps an answer to `url`. Throws UserError `output_unwritable` or `disk_full`, and what the body throws. */
  add(url: string, file: RemoteFile): Promise<StoredFile>;
};

type UrlRecord = { url: string; finalUrl: string; sha256: string; size: number; headers: Record<string, string> };

/** Stands in records for the origin that asked: a later page has another port and is allowed what this one is. */
const asker = '{asker}';
const allowOrigin = 'access-control-allow-origin';

/** Several processes may use it at once: everything appears under its name when it is whole. */
export function openRemoteStore(cache: string, origin: string): RemoteStore {
  let folder: Promise<string> | undefined;
  const place = (...names: string[]): Promise<string> => {
    folder ??= cacheEntry(cache, 'remote', async (empty) => {
      for (const name of ['files', 'urls']) await mkdir(join(empty, name), { mode: 0o700 });
    });
    return folder.then((found) => join(found, ...names));
  };
  const recordOf = (url: string) => place('urls', `${sha256(url)}.json`);
  const replaceOrigin = (headers: Record<string, string>, from: string, to: string) =>
    headers[allowOrigin] === from ? { ...headers, [allowOrigin]: to } : headers;

  return {
    async find(url) {
      const record = await readRecord(await recordOf(url), url);
      if (!record) return undefined;
      const path = await place('files', record.sha256);
      if (!(await isWhole(path, record))) return undefined;
      return { url: record.finalUrl, path, size: record.size, headers: replaceOrigin(record.headers, asker, origin) };
    },

    async add(url, { url: finalUrl, headers, body }) {
      // The cache sweeps up what a killed process leaves under such names.
      const temporary = join(cache, `.new-${randomUUID()}`);
      try {
        await place();
        const content = await writeBody(temporary, body);
        const path = await place('files', content.sha256);
        await rename(temporary, path);
        const kept = replaceOrigin(headers, origin, asker);
        const record: UrlRecord = { url, finalUrl, ...content, headers: kept };
        await writeFile(temporary, JSON.stringify({ ...record, fetchedAt: new Date().toISOString() }), { mode: 0o600 });
        await rename(temporary, await recordOf(url));
        return { url: finalUrl, path, size: content.size, headers };
      } catch (error) {
        throw cacheFault(error, cache);
      } finally {
        await rm(temporary, { force: true });
      }
    },
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

async function readRecord(path: string, url: string): Promise<UrlRecord | undefined> {
  try {
    const record: UrlRecord = JSON.parse(await readFile(path, 'utf8'));
    return record.url === url && /^[0-9a-f]{64}$/.test(record.sha256) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** A file that was cut short or changed would be shown for the real one. */
async function isWhole(path: string, { sha256, size }: UrlRecord): Promise<boolean> {
  try {
    if ((await stat(path)).size !== size) return false;
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path)) hash.update(chunk);
    return hash.digest('hex') === sha256;
  } catch {
    return false;
  }
}

async function writeBody(path: string, body: AsyncIterable<Uint8Array>): Promise<{ sha256: string; size: number }> {
  const file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of body) {
      hash.update(chunk);
      size += chunk.length;
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  return { sha256: hash.digest('hex'), size };
}
