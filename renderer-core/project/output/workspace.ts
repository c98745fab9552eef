// The temporary folder of one render. Removed when the render ends, or by a later render if this process was killed.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, unwritable } from './tempFiles.ts';

const prefix = 'framework-render-';

export type Workspace = { folder: string; remove(): Promise<void> };

export async function createWorkspace(parent = tmpdir()): Promise<Workspace> {
  await removeStale(parent);
  const folder = await mkdtemp(join(parent, `${prefix}${process.pid}-`)).catch((error) => {
    throw unwritable(
      `the temporary folder ${parent}`,
      error,
      'Set TMPDIR to a folder that exists and that you can write to.',
    );
  });
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }) };
}

/** Removes the folders of processes that no longer run: after `kill -9` nothing cleans up. */
async function removeStale(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    // It may belong to another user.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
