// Folders that workers render in: one each, gone with the render, and swept up after a service that was killed.
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../project/partials.ts';

export type WorkFolders = { create(): Promise<string>; remove(folder: string): Promise<void> };

/** Below `<dataDir>/work`. Short names: sockets of browsers are below them, whose paths may not be long. */
export async function openWorkFolders(dataDir: string): Promise<WorkFolders> {
  const parent = join(dataDir, 'work');
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await sweep(parent);
  return {
    create: () => mkdtemp(join(parent, `${process.pid}-`)),
    remove: (folder) => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/** Nothing of this process is in use yet: a folder with its number is of an earlier one, as in containers. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(/^(\d+)-/.exec(name)?.[1]);
    if (Number.isNaN(pid) || (pid !== process.pid && isAlive(pid))) continue;
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
