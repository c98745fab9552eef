// One temporary folder per render. Folders that a killed service left behind are removed at the next start.
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../../../renderer-core/project/tempFiles.ts';

export type WorkFolders = { create(): Promise<string>; remove(folder: string): Promise<void> };

/** The folders are in `<dataDir>/work`. Their names are short because paths of the browsers' sockets must not be long. */
export async function openWorkFolders(dataDir: string): Promise<WorkFolders> {
  const parent = join(dataDir, 'work');
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await removeStaleFolders(parent);
  return {
    create: () => mkdtemp(join(parent, `${process.pid}-`)),
    remove: (folder) => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/** A folder with this process's ID is stale too: in containers, the service often gets the same ID again. */
async function removeStaleFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(/^(\d+)-/.exec(name)?.[1]);
    if (Number.isNaN(pid) || (pid !== process.pid && isAlive(pid))) continue;
    // Best effort: the service can start with a stale folder.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
