// One service at a time on a data folder with SQLite: a second would take the renders of the first for abandoned.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';

/**
 * Held until the function that comes back is called, or the process ends in whatever way: the system gives the lock of a
 * file free then. Throws UserError `config_invalid` when another process has it.
 */
export async function lockData(dataDir: string): Promise<() => void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return await lockFile(join(dataDir, 'service.lock'));
  } catch (error) {
    // What else is wrong with the folder, opening the database tells better.
    if (!String((error as { code?: string }).code).startsWith('SQLITE_BUSY')) return () => undefined;
    throw new UserError('config_invalid', `Another service runs on ${dataDir}`, {
      hint: 'Name another folder with --data; several services on the same data need PostgreSQL.',
      cause: error,
    });
  }
}

/** A database of its own: that of the service is open to the commands of operators. */
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
