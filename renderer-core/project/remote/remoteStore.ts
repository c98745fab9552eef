// The cache of remote files on disk: contents by SHA-256, and a record for each URL.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheEntry, toCacheError } from '../cacheFolder.ts';
import type { RemoteFile } from './remoteRequest.ts';

/** `url` is the final URL after redirects; `headers` are those of its response. */
export type StoredFile = { url: string; path: string; size: number; headers: Record<string, string> };

export type RemoteStore = {
  /** The stored response; undefined when there is none, or when it is damaged. */
  find(url: string): Promise<StoredFile | undefined>;
  /** Stores a response. Throws UserError `output_unwritable` or `disk_full`, and errors of the body. */
  add(url: string, file: RemoteFile): Promise<StoredFile>;
};

type UrlRecord = { url: string; finalUrl: string; sha256: string; size: number; headers: Record<string, string> };

/** Replaces the page's origin in records, because a later page has another port. */
const originPlaceholder = '{asker}';
const allowOrigin = 'access-control-allow-origin';

/** Several processes can use the store at once, because files are written atomically. */
export function openRemoteStore(cache: string, origin: string): RemoteStore {
  let folder: Promise<string> | undefined;
  const pathOf = (...names: string[]): Promise<string> => {
    folder ??= cacheEntry(cache, 'remote', async (empty) => {
      for (const name of ['files', 'urls']) await mkdir(join(empty, name), { mode: 0o700 });
    });
    return folder.then((found) => join(found, ...names));
  };
  const recordPath = (url: string) => pathOf('urls', `${sha256(url)}.json`);
  const replaceOrigin = (headers: Record<string, string>, from: string, to: string) =>
    headers[allowOrigin] === from ? { ...headers, [allowOrigin]: to } : headers;

  return {
    async find(url) {
      const record = await readRecord(await recordPath(url), url);
      if (!record) return undefined;
      const path = await pathOf('files', record.sha256);
      if (!(await isComplete(path, record))) return undefined;
      const headers = replaceOrigin(record.headers, originPlaceholder, origin);
      return { url: record.finalUrl, path, size: record.size, headers };
    },

    async add(url, { url: finalUrl, headers, body }) {
      // The cache removes files with this prefix that killed processes left behind.
      const temporary = join(cache, `.new-${randomUUID()}`);
      try {
        await pathOf();
        const content = await writeBody(temporary, body);
        const path = await pathOf('files', content.sha256);
        await rename(temporary, path);
        const stored = replaceOrigin(headers, origin, originPlaceholder);
        const record: UrlRecord = { url, finalUrl, ...content, headers: stored };
        await writeFile(temporary, JSON.stringify(record), { mode: 0o600 });
        await rename(temporary, await recordPath(url));
        return { url: finalUrl, path, size: content.size, headers };
      } catch (error) {
        throw toCacheError(error, cache);
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

/** Detects files that were truncated or changed. */
async function isComplete(path: string, { sha256, size }: UrlRecord): Promise<boolean> {
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
