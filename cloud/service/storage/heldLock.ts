// A lock that the system releases when its process ends, however it ends. It works between containers that share a disk,
// where process IDs mean nothing.
import { loadSqlite } from './sqlite.ts';

/**
 * Locks the file `path`, which is created if it is missing. The lock is held until the returned function is called or the
 * process ends. Returns undefined if another process, or another caller in this one, has the lock.
 */
export async function holdLock(path: string): Promise<(() => void) | undefined> {
  const Sqlite = await loadSqlite();
  const lock = new Sqlite(path);
  try {
    lock.exec('pragma journal_mode = memory');
    lock.exec('begin exclusive');
    return () => lock.close();
  } catch (error) {
    lock.close();
    if (String((error as { code?: string }).code).startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
}
