// A lock on a file among processes: a folder beside it, which its holder keeps touching, as `proper-lockfile` does it.
import { mkdir, rmdir, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { UserError } from '../errors.ts';

/** `isLost`: somebody has taken it over, because this process had stopped for too long. */
export type FileLock = { isLost(): boolean; release(): Promise<void> };

/** A holder that has shown no life for so long is gone. */
const staleMs = 10_000;
const touchMs = 2_000;
/** Longer than anybody should hold it who only writes a file. */
const usualPatienceMs = 60_000;

export type LockOptions = {
  /** How long to wait for whoever has it. */
  patienceMs?: number;
  /** Told once, when somebody else has it. */
  onWait?: () => void;
};

/** Waits until the lock is free. `file` need not be there, its folder must. Throws UserError `cancelled`, or what the disk says. */
export async function takeLock(
  file: string,
  signal: AbortSignal | undefined,
  { patienceMs = usualPatienceMs, onWait }: LockOptions = {},
): Promise<FileLock> {
  const until = Date.now() + patienceMs;
  for (let tries = 0; ; tries++) {
    if (signal?.aborted)
      throw new UserError('cancelled', 'The wait for another process was cancelled.', { cause: signal.reason });
    const held = await tryLock(file);
    if (held) return held;
    if (tries === 0) onWait?.();
    if (Date.now() > until) throw new Error(`another process keeps ${lockOf(file)}`);
    await removeIfStale(file);
    await sleep(20 + 80 * Math.random());
  }
}

const lockOf = (file: string): string => `${file}.lock`;

async function tryLock(file: string): Promise<FileLock | undefined> {
  let isLost = false;
  try {
    const release = await lock(file, {
      realpath: false,
      update: touchMs,
      // Its own way of taking over lets two waiters in at once; ours is below.
      stale: Number.MAX_SAFE_INTEGER,
      onCompromised: () => {
        isLost = true;
      },
    });
    // Somebody else's by now, if it was lost.
    return { isLost: () => isLost, release: () => (isLost ? Promise.resolve() : release().catch(() => undefined)) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOCKED') return undefined;
    throw error;
  }
}

/**
 * Takes away what a killed process left. One waiter at a time, who looks again once nobody else can be doing the same:
 * otherwise it might take away the lock that another waiter has got since.
 */
async function removeIfStale(file: string): Promise<void> {
  if (!(await isStale(lockOf(file)))) return;
  const removing = `${lockOf(file)}.removing`;
  try {
    await mkdir(removing);
  } catch {
    if (await isStale(removing)) await rmdir(removing).catch(() => undefined);
    return;
  }
  try {
    if (await isStale(lockOf(file))) await rmdir(lockOf(file)).catch(() => undefined);
  } finally {
    await rmdir(removing).catch(() => undefined);
  }
}

async function isStale(folder: string): Promise<boolean> {
  const stats = await stat(folder).catch(() => undefined);
  return stats !== undefined && stats.mtimeMs < Date.now() - staleMs;
}
