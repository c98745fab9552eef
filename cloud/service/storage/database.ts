// Opens the service's database, SQLite in a file or PostgreSQL, and migrates its tables.
import { mkdir, open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Dialect, Kysely, Migrator, PostgresDialect, SqliteDialect } from 'kysely';
import { UserError } from '../../../renderer-core/errors.ts';
import type { ServiceSettings } from '../settings.ts';
import { migrations } from './migrations.ts';
import { loadSqlite } from './sqlite.ts';
import type { Database, Tables } from './tables.ts';

/** The file of SQLite in the data folder. */
export const databaseName = 'service.sqlite';

export type DatabaseLocation = Pick<ServiceSettings, 'dataDir' | 'databaseUrl'>;

/**
 * Opens the database and runs the migrations. `destroy()` closes it. Throws UserError `config_invalid` if it cannot be
 * used.
 */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  return reported(location, async () => {
    const { dialect, exclusively } = await openDialect(location);
    const database = new Kysely<Tables>({ dialect });
    try {
      await exclusively(() => migrate(database));
      return database;
    } catch (error) {
      await database.destroy();
      throw error;
    }
  });
}

/**
 * Opens the database with the tables that it has. The version of this program may be another one than that of the service,
 * so its tables may have other columns. Throws UserError `config_invalid`.
 */
export async function openUnmigrated(location: DatabaseLocation): Promise<Database> {
  return reported(location, async () => new Kysely<Tables>({ dialect: (await openDialect(location)).dialect }));
}

/** The names of the migrations that the database has, in order; none for an empty database. */
export async function doneMigrations(database: Database): Promise<string[]> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === migrationTable)) return [];
  const rows = await database
    .withTables<{ [migrationTable]: { name: string } }>()
    .selectFrom(migrationTable)
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Kysely's own table. */
const migrationTable = 'kysely_migration';

async function reported<T>(location: DatabaseLocation, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    // The URL contains a password.
    const where = location.databaseUrl === undefined ? `in ${location.dataDir}` : 'at DATABASE_URL';
    const reason =
      error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
    throw new UserError('config_invalid', `The database ${where} cannot be used: ${reason}`, {
      hint: location.databaseUrl === undefined ? 'Use another folder with --data.' : 'Check DATABASE_URL.',
      cause: error,
    });
  }
}

const openDialect = ({ databaseUrl, dataDir }: DatabaseLocation): Promise<OpenedDatabase> =>
  databaseUrl === undefined ? sqlite(dataDir) : postgres(databaseUrl);

/** `exclusively` runs a function while no other process uses the database, and rolls it back if it fails. */
type OpenedDatabase = { dialect: Dialect; exclusively(run: () => Promise<void>): Promise<void> };

async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

async function sqlite(dataDir: string): Promise<OpenedDatabase> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const Sqlite = await loadSqlite();
  const path = join(dataDir, databaseName);
  // The file contains secrets, and the folder may be readable for other users.
  await (await openFile(path, 'a', 0o600)).close();
  const database = new Sqlite(path);
  // Operator commands hold the lock only for a moment. With a write-ahead log, readers do not wait for a writer, and
  // committed data survives a killed process.
  database.exec('pragma busy_timeout = 5000');
  database.exec('pragma journal_mode = wal');
  database.exec('pragma foreign_keys = on');
  // A transaction that reads first and writes later fails if another process wrote in between, regardless of the
  // timeout. `begin immediate` waits for the write lock at the start instead.
  const prepare = (text: string) => database.prepare(text === 'begin' ? 'begin immediate' : text);
  const close = (): void => {
    try {
      // Afterwards a copy of the database file exclusively is complete.
      database.exec('pragma wal_checkpoint(truncate)');
    } catch {
      // Another process still uses the database, and reads the rest from the log.
    }
    database.close();
  };
  return {
    dialect: new SqliteDialect({ database: { prepare, close } as never }),
    async exclusively(run) {
      database.exec('begin exclusive');
      try {
        await run();
        database.exec('commit');
      } catch (error) {
        database.exec('rollback');
        throw error;
      }
    },
  };
}

const bigint = 20;

async function postgres(url: string): Promise<OpenedDatabase> {
  const { default: pg } = await import('pg');
  const types = {
    // Timestamps and sizes are far below 2^53.
    getTypeParser: (id: number, format?: 'text' | 'binary') =>
      id === bigint ? Number : pg.types.getTypeParser(id, format as 'text'),
  };
  const pool = new pg.Pool({ connectionString: url, types: types as never, max: 10, connectionTimeoutMillis: 10_000 });
  // An idle connection that breaks is replaced when it is needed, and the query of one in use fails. Without listeners, the
  // error of the connection itself would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  // Kysely's migrator locks the whole database and runs in a transaction.
  return { dialect: new PostgresDialect({ pool }), exclusively: (run) => run() };
}
