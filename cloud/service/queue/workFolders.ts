// One temporary folder per render, in a folder of this instance. The next instance that starts removes the folders of
// those that were killed.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { statIfExists } from '../../../renderer-core/project/statIfExists.ts';
import { holdLock } from '../storage/heldLock.ts';

export type WorkFolders = {
  create(): Promise<string>;
  remove(folder: string): Promise<void>;
  /** Removes the folder of this instance. */
  close(): Promise<void>;
};

/**
 * The folders are in `<dataDir>/work/<name>`, and `<name>.lock` is locked while the instance runs. Several instances can share
 * `dataDir`. Names are short because paths of the browsers' sockets must not be long.
 */
export async function openWorkFolders(dataDir: string, now: () => number): Promise<WorkFolders> {
  const parent = join(dataDir, 'work');
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await removeStaleFolders(parent, now());
  const { folder, release } = await ownFolder(parent);
  return {
    create: () => mkdtemp(join(folder, 'r-')),
    remove: removeFolder,
    async close() {
      await removeFolder(folder);
      await rm(`${folder}.lock`, { force: true });
      release();
    },
  };
}

async function ownFolder(parent: string): Promise<{ folder: string; release: () => void }> {
  for (;;) {
    const folder = join(parent, randomBytes(4).toString('hex'));
    const release = await holdLock(`${folder}.lock`);
    // An instance that starts at the same time may have taken the new lock for a stale one, and removed its file.
    if (release && existsSync(`${folder}.lock`)) {
      await mkdir(folder, { mode: 0o700 });
      return { folder, release };
    }
    release?.();
  }
}

/** A folder is stale if its lock is free. */
async function removeStaleFolders(parent: string, now: number): Promise<void> {
  const names = await readdir(parent);
  for (const lock of names.filter((name) => name.endsWith('.lock'))) {
    // Best effort: the service can start with a stale folder.
    const release = await holdLock(join(parent, lock)).catch(() => undefined);
    if (!release) continue;
    await removeFolder(join(parent, lock.slice(0, -'.lock'.length))).catch(() => undefined);
    await rm(join(parent, lock), { force: true }).catch(() => undefined);
    release();
  }
  for (const name of names) {
    const folder = join(parent, name);
    if (name.endsWith('.lock') || existsSync(`${folder}.lock`)) continue;
    // Earlier versions had no locks. None of their renders takes a day.
    const stats = await statIfExists(folder);
    if (stats && now - stats.mtimeMs > dayMs) await removeFolder(folder).catch(() => undefined);
  }
}

const dayMs = 24 * 60 * 60 * 1000;

const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
