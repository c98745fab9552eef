// One service to a data folder with SQLite: a second one would take the renders of the first for left behind.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import type { ServiceSettings } from './settings.ts';

/**
 * Holds the folder until it is called again or this process ends, however it ends: the lock is SQLite's own, on a file
 * beside the database, which operators' commands use meanwhile. With PostgreSQL there is nothing to hold. Throws UserError
 * `config_invalid`.
 */
export async function lockDataDir({
  dataDir,
  databaseUrl,
}: Pick<ServiceSettings, 'dataDir' | 'databaseUrl'>): Promise<() => void> {
  if (databaseUrl !== undefined) return () => undefined;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const { default: Sqlite } = await import('libsql');
  const lock = new Sqlite(join(dataDir, 'service.lock'));
  try {
    lock.exec('pragma busy_timeout = 0');
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    throw new UserError('config_invalid', `Another service runs with the data folder ${dataDir}`, {
      hint: 'End it, name another folder with --data, or use PostgreSQL for several (DATABASE_URL).',
      cause: error,
    });
  }
  return () => lock.close();
}
