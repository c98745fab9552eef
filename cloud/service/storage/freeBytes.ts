// The free space of a folder's disk.
import { statfs } from 'node:fs/promises';

/** Without the space that only the system may use. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
