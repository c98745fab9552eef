// Prepares a SQLite database for being replaced: no process may have it open, and its log must be part of it.
import { UserError } from '../../../renderer-core/errors.ts';

/**
 * Ends the write-ahead log, which SQLite only does while no other process has the database open. A damaged database is left as it
 * is. Throws UserError `config_invalid` if a process uses it, such as a command of the operator.
 */
export async function foldLog(path: string): Promise<void> {
  const { default: Sqlite } = await import('libsql');
  const database = new Sqlite(path);
  try {
    database.exec('pragma busy_timeout = 5000');
    database.exec('pragma journal_mode = delete');
  } catch (error) {
    if (!String((error as { code?: string }).code).startsWith('SQLITE_BUSY')) return;
    throw new UserError('config_invalid', `Another program uses ${path}`, {
      hint: 'Stop the service and its commands, then restore the backup.',
      cause: error,
    });
  } finally {
    database.close();
  }
}
