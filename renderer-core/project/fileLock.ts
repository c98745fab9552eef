// A lock that processes share: the folder `<file>.lock`, whose holder updates its modification time. Other tools use the
// same lock for the credentials file, so the protocol is documented in docs/auth.md.

import { rmdirSync } from 'node:fs';
import { mkdir, rmdir, utimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../errors.ts';
import { statIfExists } from './statIfExists.ts';

/** `isLost`: another process took the lock over because this one did not update it in time. */
export type FileLock = { isLost(): boolean; release(): Promise<void> };

/** A lock that has not been updated for this long belongs to a process that is gone. */
const staleMs = 10_000;
const updateMs = 2_000;
const pollMs = 50;
const defaultTimeoutMs = 60_000;

export type LockOptions = {
  /** Unix milliseconds. */
  now: () => number;
  signal?: AbortSignal | undefined;
  /** How long to wait for another process. Default 60 s. */
  timeoutMs?: number;
  /** Called once, when another process holds the lock. */
  onWait?: () => void;
};

/**
 * Waits until the lock is free and acquires it. `file` does not have to exist, but its folder does.
 * Throws UserError `cancelled`, an Error after `timeoutMs`, and errors of the file system.
 */
export async function acquireLock(file: string, options: LockOptions): Promise<FileLock> {
  const { now, signal, timeoutMs = defaultTimeoutMs, onWait } = options;
  const folder = `${file}.lock`;
  const deadline = now() + timeoutMs;
  for (let attempt = 1; ; attempt++) {
    if (signal?.aborted)
      throw new UserError('cancelled', 'Waiting for another process was cancelled.', { cause: signal.reason });
    if (await makeFolder(folder)) return hold(folder, now);
    if (attempt === 1) onWait?.();
    if (now() > deadline) throw new Error(`another process has held ${folder} for too long`);
    await removeIfStale(folder, now);
    await sleep(pollMs);
  }
}

/** False when the folder exists. Creating a folder is atomic, so only one process gets true. */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function hold(folder: string, now: () => number): Promise<FileLock> {
  let isLost = false;
  let modified = await modifiedMs(folder);
  const update = async (): Promise<void> => {
    // A modification time that this process did not set means that the folder belongs to another one.
    if ((await modifiedMs(folder)) !== modified) {
      isLost = true;
      clearInterval(timer);
      return;
    }
    const time = now() / 1000;
    await utimes(folder, time, time);
    // The file system has rounded it.
    modified = await modifiedMs(folder);
  };
  let updating: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    // An update that fails is repeated; without any, the lock becomes stale.
    updating = updating.then(update).catch(() => undefined);
  }, updateMs).unref();
  const removeAtExit = (): void => {
    if (isLost) return;
    try {
      rmdirSync(folder);
    } catch {
      // The process ends: the lock becomes stale.
    }
  };
  process.once('exit', removeAtExit);
  return {
    isLost: () => isLost,
    async release() {
      clearInterval(timer);
      await updating;
      process.removeListener('exit', removeAtExit);
      // If it cannot be removed, it becomes stale.
      if (!isLost && (await modifiedMs(folder)) === modified) await rmdir(folder).catch(() => undefined);
    },
  };
}

/**
 * Removes the lock of a process that was killed. The folder `<lock>.removing` lets only one process do this at a time,
 * and that process checks again: otherwise it could remove the lock that another one has just acquired. Failures are
 * ignored, because each process that waits for the lock tries again.
 */
async function removeIfStale(folder: string, now: () => number): Promise<void> {
  if (!(await isStale(folder, now))) return;
  const guard = `${folder}.removing`;
  if (!(await makeFolder(guard))) {
    if (await isStale(guard, now)) await rmdir(guard).catch(() => undefined);
    return;
  }
  try {
    if (await isStale(folder, now)) await rmdir(folder).catch(() => undefined);
  } finally {
    await rmdir(guard).catch(() => undefined);
  }
}

async function isStale(folder: string, now: () => number): Promise<boolean> {
  const modified = await modifiedMs(folder);
  return modified !== undefined && modified < now() - staleMs;
}

/** Undefined when the folder does not exist. */
async function modifiedMs(folder: string): Promise<number | undefined> {
  const stats = await statIfExists(folder);
  return stats?.mtimeMs;
}
