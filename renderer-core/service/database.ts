// Opens the service's database, SQLite in a file or PostgreSQL, and brings its tables up to date.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, Migrator, PostgresDialect, SqliteDialect } from 'kysely';
import { migrations } from './migrations.ts';
import type { ServiceSettings } from './settings.ts';
import type { Database, Tables } from './tables.ts';

/** Also makes the tables, or changes them from an earlier version. `destroy()` closes it. */
export async function openDatabase(settings: Pick<ServiceSettings, 'dataDir' | 'databaseUrl'>): Promise<Database> {
  const { databaseUrl, dataDir } = settings;
  const dialect = databaseUrl === undefined ? await sqlite(dataDir) : await postgres(databaseUrl);
  const database = new Kysely<Tables>({ dialect });
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/** Instances that start at once wait for each other: the migrator takes a lock in the database. */
async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

async function sqlite(dataDir: string): Promise<SqliteDialect> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const { default: Sqlite } = await import('libsql');
  const database = new Sqlite(join(dataDir, 'service.sqlite'));
  // Readers do not wait for the writer, and what is committed survives a killed process.
  database.exec('pragma journal_mode = wal');
  database.exec('pragma busy_timeout = 5000');
  database.exec('pragma foreign_keys = on');
  // A transaction that reads before it writes would fail when another process wrote in between, whatever it waits: it
  // takes its turn to write at its beginning instead.
  const prepare = (text: string) => database.prepare(text === 'begin' ? 'begin immediate' : text);
  return new SqliteDialect({ database: { prepare, close: () => database.close() } as never });
}

const bigint = 20;

async function postgres(url: string): Promise<PostgresDialect> {
  const { default: pg } = await import('pg');
  const types = {
    // Times and sizes are far below 2^53.
    getTypeParser: (id: number, format?: 'text' | 'binary') =>
      id === bigint ? Number : pg.types.getTypeParser(id, format as 'text'),
  };
  const pool = new pg.Pool({ connectionString: url, types: types as never, max: 10 });
  // A connection that breaks while nobody uses it is replaced by the next; unheard, it would end the process.
  pool.on('error', () => undefined);
  return new PostgresDialect({ pool });
}
