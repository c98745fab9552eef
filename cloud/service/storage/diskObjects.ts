// The object store in a folder on disk, and the route that serves its files at signed URLs.
import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Context, Hono } from 'hono';
import { readRange } from '../../../renderer-core/project/serve/byteRange.ts';
import { ApiError } from '../api/apiErrors.ts';
import type { ServiceEnv } from '../api/requestEnv.ts';
import { type FileUrlOptions, mountFiles, type SignedFile, signFileUrl } from './fileUrls.ts';
import { writeNewFile } from './newFile.ts';
import { disposition, type ObjectStore } from './objectStore.ts';

export type DiskObjects = ObjectStore & {
  /** `GET /files/<key>`. */
  mount(app: Hono<ServiceEnv>): void;
};

export type DiskObjectsOptions = FileUrlOptions & {
  /** Absolute; created with the first object. */
  folder: string;
};

/** Does not match the names of temporary files. */
export const objectKeyPattern = /^[a-z]+\/[A-Za-z0-9_-]{1,100}\.[a-z0-9]{1,8}$/;

export const newTempObject = (): string => `.${randomBytes(8).toString('hex')}.tmp`;

/** Whether a file of the store is temporary: still being written, or left behind by a killed process. */
export const isTempObject = (name: string): boolean => /^\.[0-9a-f]{16}\.tmp$/.test(name);

export function createDiskObjects(options: DiskObjectsOptions): DiskObjects {
  const pathOf = (key: string): string => {
    if (!objectKeyPattern.test(key)) throw new Error(`invalid object key "${key}"`);
    return join(options.folder, key);
  };
  const size = async (key: string): Promise<number | undefined> => (await stat(pathOf(key)).catch(ignoreMissing))?.size;
  const store: ObjectStore = {
    put: (key, body, { signal }) => write(pathOf(key), body, signal),
    async get(key, range) {
      // The open handle can be read to its end even if the file is deleted meanwhile.
      const handle = await open(pathOf(key)).catch(ignoreMissing);
      return handle && { body: handle.createReadStream(range), size: (await handle.stat()).size };
    },
    size,
    delete: (key) => rm(pathOf(key), { force: true }),
    signedUrl: async (key, file) => {
      pathOf(key);
      return signFileUrl(options, key, file);
    },
  };
  return { ...store, mount: (app) => mountFiles(app, options, (c, file) => sendFile(c, store, file)) };
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Flushed before the rename, so that after a power failure the file is either complete or missing. */
async function write(path: string, body: Readable, signal: AbortSignal | undefined): Promise<number> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, newTempObject());
  try {
    const size = await writeNewFile(temporary, [body], { flush: true, signal });
    await rename(temporary, path);
    await syncFolder(folder);
    return size;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Flushes the names of new files. Windows has no handles for folders. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

async function sendFile(
  c: Context<ServiceEnv>,
  store: ObjectStore,
  { key, filename, contentType, secondsLeft }: SignedFile,
): Promise<Response> {
  const size = await store.size(key);
  if (size === undefined) throw new ApiError('not_found', 'This file was deleted.');
  const etag = `"${key}"`;
  const headers = {
    'accept-ranges': 'bytes',
    'cache-control': `private, max-age=${Math.floor(secondsLeft)}`,
    'content-disposition': disposition(filename),
    'content-type': contentType,
    etag,
  };
  const ifRange = c.req.header('if-range');
  const isRanged = c.req.method === 'GET' && (ifRange === undefined || ifRange === etag);
  const range = isRanged ? readRange(c.req.header('range'), size) : undefined;
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${size}`, 'content-length': '0' } });
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const object = c.req.method === 'HEAD' || size === 0 ? undefined : await store.get(key, { start, end });
  return new Response(object ? (Readable.toWeb(object.body) as ReadableStream<Uint8Array>) : null, {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'content-length': String(end - start + 1),
      ...(range ? { 'content-range': `bytes ${start}-${end}/${size}` } : {}),
    },
  });
}
