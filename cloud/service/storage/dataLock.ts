// Locks a data folder with SQLite to one service: a second one would treat the renders of the first as interrupted.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../../renderer-core/errors.ts';
import { holdLock } from './heldLock.ts';

const otherFolder = 'Use another folder with --data. To run several services on the same data, use PostgreSQL.';

/**
 * The lock is held until the returned function is called or the process ends, even if it is killed. Throws UserError
 * `config_invalid` if another process has the lock.
 */
export async function lockData(dataDir: string, hint = otherFolder): Promise<() => void> {
  const release = await lockFile(dataDir);
  if (release) return release;
  throw new UserError('config_invalid', `Another service is already using ${dataDir}`, { hint });
}

/** A separate database is locked, because operator commands need access to the service's own. */
async function lockFile(dataDir: string): Promise<(() => void) | undefined> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return await holdLock(join(dataDir, 'service.lock'));
  } catch {
    // Opening the database reports other problems with the folder more clearly.
    return () => undefined;
  }
}
