// Opens a file that a worker wrote. The page may have taken control of its browser and of the worker, so a link would make the
// service read one of its own files.
import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join } from 'node:path';

/** `folder` may itself be in the worker's folder. */
export async function openResult(folder: string, name: string): Promise<FileHandle> {
  if ((await lstat(folder)).isSymbolicLink()) throw new Error(`the folder of the worker's ${name} is a link`);
  const handle = await open(join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new Error(`the worker's ${name} is not a file`);
}
