// How many bytes the files in a folder have.
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** 0 if the folder does not exist. Files that are deleted meanwhile are not counted. */
export async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => {
      const stats = await lstat(join(folder, name)).catch(() => undefined);
      return stats?.isFile() ? stats.size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
