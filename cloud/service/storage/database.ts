// Opens the service's database, SQLite in a file or PostgreSQL, and brings its tables up to date.
import { mkdir, open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Dialect, Kysely, Migrator, PostgresDialect, SqliteDialect } from 'kysely';
import { UserError } from '../errors.ts';
import { migrations } from './migrations.ts';
import type { ServiceSettings } from './settings.ts';
import type { Database, Tables } from './tables.ts';

type Place = Pick<ServiceSettings, 'dataDir' | 'databaseUrl'>;

/**
 * Also makes the tables, or changes them from an earlier version. `destroy()` closes it. Throws UserError `config_invalid`
 * when there is none that can be used.
 */
export async function openDatabase(place: Place): Promise<Database> {
  try {
    return await open(place);
  } catch (error) {
    // The URL has a password in it.
    const where = place.databaseUrl === undefined ? `in ${place.dataDir}` : 'that DATABASE_URL names';
    const reason =
      error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
    throw new UserError('config_invalid', `The database ${where} cannot be used: ${reason}`, {
      hint: place.databaseUrl === undefined ? 'Name another folder with --data.' : 'Check DATABASE_URL.',
      cause: error,
    });
  }
}

async function open({ databaseUrl, dataDir }: Place): Promise<Database> {
  const { dialect, alone } = databaseUrl === undefined ? await sqlite(dataDir) : await postgres(databaseUrl);
  const database = new Kysely<Tables>({ dialect });
  try {
    await alone(() => migrate(database));
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/** `alone` runs the steps while no other process does, all of them or none. */
type Opened = { dialect: Dialect; alone(run: () => Promise<void>): Promise<void> };

async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

async function sqlite(dataDir: string): Promise<Opened> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const { default: Sqlite } = await import('libsql');
  const path = join(dataDir, 'service.sqlite');
  // Secrets are in it, and the folder may be somebody's who made it for all to read.
  await (await openFile(path, 'a', 0o600)).close();
  const database = new Sqlite(path);
  // One process serves from it: waiting for the lock holds up everything else here. Commands of operators take it shortly.
  // Readers do not wait for the writer, and what is committed survives a killed process.
  database.exec('pragma busy_timeout = 5000');
  database.exec('pragma journal_mode = wal');
  database.exec('pragma foreign_keys = on');
  // A transaction that reads before it writes would fail when another process wrote in between, whatever it waits: it
  // takes its turn to write at its beginning instead.
  const prepare = (text: string) => database.prepare(text === 'begin' ? 'begin immediate' : text);
  const close = (): void => {
    try {
      // Then the one file is all there is, as whoever copies it expects.
      database.exec('pragma wal_checkpoint(truncate)');
    } catch {
      // Somebody else uses it still, and finds in the log what is not in the file.
    }
    database.close();
  };
  return {
    dialect: new SqliteDialect({ database: { prepare, close } as never }),
    async alone(run) {
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

async function postgres(url: string): Promise<Opened> {
  const { default: pg } = await import('pg');
  const types = {
    // Times and sizes are far below 2^53.
    getTypeParser: (id: number, format?: 'text' | 'binary') =>
      id === bigint ? Number : pg.types.getTypeParser(id, format as 'text'),
  };
  const pool = new pg.Pool({ connectionString: url, types: types as never, max: 10, connectionTimeoutMillis: 10_000 });
  // A connection that breaks while nobody uses it is replaced by the next; unheard, it would end the process.
  pool.on('error', () => undefined);
  // The migrator takes a lock of the whole database, and runs in a transaction.
  return { dialect: new PostgresDialect({ pool }), alone: (run) => run() };
}
