// Locks a data folder with SQLite to one service: a second one would treat the renders of the first as interrupted.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../../renderer-core/errors.ts';

/**
 * The lock is held until the returned function is called or the process ends, even if it is killed. Throws UserError
 * `config_invalid` if another process has the lock.
 */
export async function lockData(dataDir: string): Promise<() => void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return await lockFile(join(dataDir, 'service.lock'));
  } catch (error) {
    // Opening the database reports other problems with the folder more clearly.
    if (!String((error as { code?: string }).code).startsWith('SQLITE_BUSY')) return () => undefined;
    throw new UserError('config_invalid', `Another service is already using ${dataDir}`, {
      hint: 'Use another folder with --data. To run several services on the same data, use PostgreSQL.',
      cause: error,
    });
  }
}

/** A separate database is locked, because operator commands need access to the service's own. */
async function lockFile(path: string): Promise<() => void> {
  const { default: Sqlite } = await import('libsql');
  const lock = new Sqlite(path);
  try {
    lock.exec('pragma journal_mode = memory');
    lock.exec('begin exclusive');
    return () => lock.close();
  } catch (error) {
    lock.close();
    throw error;
  }
}
