// Files of backups: links or copies, checksums, and flushing them to the disk.
import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { chmod, copyFile, link, open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** What file systems answer that have no hard links, or where two folders are on different ones. */
const noLink: ReadonlySet<string> = new Set([
  ...['EXDEV', 'EPERM', 'EACCES', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'],
]);

/**
 * Creates `to` as a second name of the file, or as a copy where that is not possible. Returns false if `from` is missing. Objects
 * are never changed in place, so a second name is as good as a copy on the same disk, and takes neither time nor space. The
 * content of a link is on the disk already.
 */
export async function linkOrCopy(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (noLink.has(code)) return copyFlushed(from, to);
    if (code === 'ENOENT') return false;
    throw error;
  }
  return true;
}

/** Returns false if `from` is missing. */
export async function copyFlushed(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  await chmod(to, 0o600);
  await flushFile(to);
  return true;
}

export async function flushFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.sync().finally(() => handle.close());
}

export async function checksum(path: string, signal?: AbortSignal): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const source = createReadStream(path, { highWaterMark: 1 << 20 });
  await pipeline(
    source,
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
      }
    },
    { ...(signal ? { signal } : {}) },
  );
  return { bytes, sha256: hash.digest('hex') };
}

export const fileExists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
