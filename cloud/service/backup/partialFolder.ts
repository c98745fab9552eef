// The folder in which a backup is written before it appears under its name. The next backup to the same place removes those
// that a killed process left behind.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../storage/diskObjects.ts';
import { holdLock } from '../storage/heldLock.ts';

export type PartialFolder = {
  path: string;
  /** Renames it to `target`, which must not exist. */
  publish(target: string): Promise<void>;
  /** Deletes it, unless it was published. */
  close(): Promise<void>;
};

const partialPattern = /^\.framework-backup-[0-9a-f]{16}$/;
const lockEnd = '.lock';

/** Creates a folder in `parent`, which is created too. `<folder>.lock` is locked until it is closed. */
export async function openPartialFolder(parent: string): Promise<PartialFolder> {
  await mkdir(parent, { recursive: true });
  await removeLeftFolders(parent);
  const { path, release } = await lockedFolder(parent);
  return {
    path,
    async publish(target) {
      await rename(path, target);
      await syncFolder(parent);
    },
    async close() {
      await rm(path, { recursive: true, force: true });
      await rm(path + lockEnd, { force: true });
      release();
    },
  };
}

async function lockedFolder(parent: string): Promise<{ path: string; release: () => void }> {
  for (;;) {
    const path = join(parent, `.framework-backup-${randomBytes(8).toString('hex')}`);
    // Some network file systems have no locks. Then no process removes the folders of others.
    const release = await holdLock(path + lockEnd).catch(() => () => undefined);
    // A backup that starts at the same time may have removed the new file before it was locked.
    if (release && existsSync(path + lockEnd)) {
      await mkdir(path, { mode: 0o700 });
      return { path, release };
    }
    release?.();
  }
}

async function removeLeftFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = name.slice(0, -lockEnd.length);
    if (!name.endsWith(lockEnd) || !partialPattern.test(folder)) continue;
    // Without this, the backup still succeeds.
    const release = await holdLock(join(parent, name)).catch(() => undefined);
    if (!release) continue;
    await rm(join(parent, folder), { recursive: true, force: true }).catch(() => undefined);
    await rm(join(parent, name), { force: true }).catch(() => undefined);
    release();
  }
}
