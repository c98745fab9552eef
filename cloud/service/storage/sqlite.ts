// Loads SQLite, an optional package with a binary for each system.
import type Database from 'libsql';
import { UserError } from '../../../renderer-core/errors.ts';

/** Throws UserError `config_invalid` if it is not installed. */
export async function loadSqlite(): Promise<typeof Database> {
  try {
    return (await import('libsql')).default;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UserError('config_invalid', 'The service needs the package libsql, which is not installed', {
      hint: 'Install framework with its optional packages: npm install framework --include=optional',
      cause: error,
    });
  }
}
