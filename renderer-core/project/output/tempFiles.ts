// Temporary names of outputs. An output is written to a hidden file next to it and renamed when it is complete.

import { readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../errors.ts';

/** Contains the process id, so that files of killed processes can be found. */
export const tempFileName = (name: string): string => `.${name}.${process.pid}.partial`;

/** Removes temporary files of the outputs `names` in `folder` whose process no longer runs. */
export async function removeStaleTempFiles(folder: string, names: readonly string[]): Promise<void> {
  const wanted = new Set(names);
  for (const entry of await readdir(folder).catch(() => [])) {
    const [, name = '', pid] = /^\.(.+)\.(\d+)\.partial$/s.exec(entry) ?? [];
    if (wanted.has(name) && !isAlive(Number(pid))) await rm(join(folder, entry), { recursive: true, force: true });
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process runs, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The disk of the output or of the temporary folder is full. */
export function diskFull(cause?: unknown): UserError {
  return new UserError('disk_full', 'the disk is full', {
    hint: 'Free some space on the disk of the output and of the temporary folder (TMPDIR), then render again.',
    cause,
  });
}

/** Whether the disk has less space than the smallest browser profile. A browser that cannot write it exits without a reason. */
export async function isDiskFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < 512 * 1024;
}

/** `path` is the file or folder that cannot be written. */
export function unwritable(
  path: string,
  error: unknown,
  hint = 'Choose a folder that you can write to with --output.',
): UserError {
  const reason = {
    EACCES: 'permission denied',
    EROFS: 'the disk is read-only',
    EPERM: 'not permitted',
    ENOTDIR: 'a part of the path is a file',
    EEXIST: 'a part of the path is a file',
    EISDIR: 'it is a folder',
    ENOENT: 'files cannot be created there',
    ELOOP: 'its symbolic links form a loop',
    ENAMETOOLONG: 'the name is too long',
    ENXIO: 'no program accepts data there',
    ENOSPC: 'the disk is full',
  }[String((error as NodeJS.ErrnoException).code)];
  return new UserError('output_unwritable', `Cannot write to ${path}: ${reason ?? String((error as Error).message)}`, {
    hint,
    cause: error,
  });
}
