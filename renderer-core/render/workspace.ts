// The temporary folder of one render: gone when the render ends, and swept up by a later one if this process was killed.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../project/partials.ts';

const prefix = 'framework-render-';

export type Workspace = { folder: string; remove(): Promise<void> };

export async function createWorkspace(parent = tmpdir()): Promise<Workspace> {
  await sweep(parent);
  const folder = await mkdtemp(join(parent, `${prefix}${process.pid}-`));
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }) };
}

/** Removes the folders of renders whose process is gone: `kill -9` leaves no chance to clean up. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
