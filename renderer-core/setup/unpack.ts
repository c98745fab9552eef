// Unpacks downloads: a zip archive of a folder, a single compressed program, or an npm package.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-fs';
import { openPromise } from 'yauzl';
import { UserError } from '../errors.ts';

/** Unpacks into `folder`, which must exist and be empty. Throws UserError `download_failed`, and errors of the disk. */
export async function unpackZip(archive: string, folder: string, signal?: AbortSignal): Promise<void> {
  // yauzl rejects paths that lead out of the folder.
  const zip = await openPromise(archive, { autoClose: false }).catch((error) => {
    throw damaged(error);
  });
  try {
    for await (const entry of zip.eachEntry()) {
      signal?.throwIfAborted();
      const mode = entry.externalFileAttributes >>> 16;
      if ((mode & 0o170000) === 0o120000) throw damaged(new Error(`${entry.fileName} is a link`));
      const target = join(folder, entry.fileName);
      await mkdir(entry.fileName.endsWith('/') ? target : dirname(target), { recursive: true });
      if (entry.fileName.endsWith('/')) continue;
      const file = createWriteStream(target, { flags: 'wx', mode: mode & 0o100 ? 0o755 : 0o644 });
      await pipeline(await zip.openReadStreamPromise(entry), file, signal ? { signal } : {});
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw (error as NodeJS.ErrnoException).syscall === undefined && !(error instanceof UserError)
      ? damaged(error)
      : error;
  } finally {
    zip.close();
  }
}

/** Unpacks into the executable file `target`. Throws as `unpackZip`. */
export async function unpackGz(archive: string, target: string, signal?: AbortSignal): Promise<void> {
  const file = createWriteStream(target, { flags: 'wx', mode: 0o755 });
  try {
    await pipeline(createReadStream(archive), createGunzip(), file, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? damaged(error) : error;
  }
}

/** Unpacks the files of an npm package, which are in one folder of the archive, into `folder`. Throws as `unpackZip`. */
export async function unpackPackage(archive: string, folder: string, signal?: AbortSignal): Promise<void> {
  try {
    // The modes in the archive do not matter: libraries count as programs.
    const files = extract(folder, { strip: 1, fmode: 0o755 });
    await pipeline(createReadStream(archive), createGunzip(), files, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw (error as NodeJS.ErrnoException).syscall === undefined ? damaged(error) : error;
  }
}

function damaged(cause: unknown): UserError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new UserError('download_failed', `Cannot unpack the download: ${reason}.`, {
    hint: 'Run the command again.',
    cause,
  });
}
