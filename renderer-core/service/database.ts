// Opens the service's database, SQLite in a file or PostgreSQL, and brings its tables up to date.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, Migrator, PostgresDialect, SqliteDialect } from 'kysely';
import Sqlite from 'libsql';
import pg from 'pg';
import { migrations } from './migrations.ts';
import type { ServiceSettings } from './settings.ts';
import type { Database, Tables } from './tables.ts';

/** Also makes the tables, or changes them from an earlier version. `destroy()` closes it. */
export async function openDatabase(settings: Pick<ServiceSettings, 'dataDir' | 'databaseUrl'>): Promise<Database> {
  const dialect = settings.databaseUrl === undefined ? await sqlite(settings.dataDir) : postgres(settings.databaseUrl);
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
  const database = new Sqlite(join(dataDir, 'service.sqlite'));
  // Readers do not wait for the writer, and what is committed survives a killed process.
  database.exec('pragma journal_mode = wal');
  database.exec('pragma busy_timeout = 5000');
  database.exec('pragma foreign_keys = on');
  return new SqliteDialect({ database: database as never });
}

const bigint = 20;

function postgres(url: string): PostgresDialect {
  const types = {
    // Times and sizes are far below 2^53.
    getTypeParser: (id: number, format?: 'text' | 'binary') =>
      id === bigint ? Number : pg.types.getTypeParser(id, format as 'text'),
  };
  return new PostgresDialect({ pool: new pg.Pool({ connectionString: url, types: types as never, max: 10 }) });
}
