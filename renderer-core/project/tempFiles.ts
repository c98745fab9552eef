// Files that are being written: hidden beside their place under the name of this process, until they are whole and renamed.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';

/** What something is called while it is being written. Hidden: it is no input of anything, and nobody takes it for whole. */
export const partialName = (name: string): string => `.${name}.${process.pid}.partial`;

/** Takes away what killed processes left of the outputs `names` in a folder: see `partialName`. */
export async function sweepPartials(folder: string, names: readonly string[]): Promise<void> {
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
    // The process of another user cannot be signalled, but it lives.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** `what` is the file or folder that the error of the file system is about. */
export function unwritable(what: string, error: unknown): UserError {
  const reason = {
    EACCES: 'permission denied',
    EROFS: 'the disk is read-only',
    ENOTDIR: 'a part of the path is a file',
    ENOSPC: 'the disk is full',
  }[String((error as NodeJS.ErrnoException).code)];
  return new UserError('output_unwritable', `Cannot write to ${what}: ${reason ?? String((error as Error).message)}`, {
    hint: 'Name a folder that you may write to with --output.',
    cause: error,
  });
}
