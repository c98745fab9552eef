// Moves files between disks. The target is complete or missing.
import { copyFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Renames a file, or copies it where its target is on another disk. */
export async function moveFile(from: string, to: string): Promise<void> {
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EXDEV') throw error;
    await copyWhole(from, to);
    await rm(from);
  });
}

export async function copyWhole(from: string, to: string): Promise<void> {
  const temporary = join(dirname(to), `.${basename(to)}`);
  try {
    await copyFile(from, temporary);
    await rename(temporary, to);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
