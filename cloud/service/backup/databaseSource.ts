// The database as a backup reads it: which files its rows need now, and a copy of one moment, while the service continues.

import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { UserError } from '../../../renderer-core/errors.ts';
import { segmentKeys } from '../queue/renderSegments.ts';
import { type DatabaseLocation, databaseName, doneMigrations, openUnmigrated } from '../storage/database.ts';
import { migrations } from '../storage/migrations.ts';
import { loadSqlite } from '../storage/sqlite.ts';
import type { Database, Session, Tables } from '../storage/tables.ts';
import { fileExists, flushFile } from './backupFiles.ts';
import { databaseFiles } from './backupManifest.ts';
import { checkDumpVersion, dumpDatabase, type PostgresRun } from './postgresPrograms.ts';

export type DatabaseSource = {
  kind: 'sqlite' | 'postgresql';
  /** The last migration. */
  schema: string;
  /** Keys of files that rows name now. */
  readNames(): Promise<Set<string>>;
  /** Writes a copy to `path`, replacing an earlier one, and returns the keys of files that the rows of the copy name. */
  copyTo(path: string): Promise<Set<string>>;
  close(): Promise<void>;
};

/** Throws UserError `config_invalid`, also for a database of a newer version. It does not migrate the tables. */
export async function openDatabaseSource(location: DatabaseLocation, run: PostgresRun): Promise<DatabaseSource> {
  const { dataDir, databaseUrl } = location;
  if (databaseUrl === undefined && !(await fileExists(join(dataDir, databaseName))))
    throw new UserError('config_invalid', `There is no ${databaseName} in ${dataDir}`, {
      hint: 'Name the folder of the service with --data, or set its DATABASE_URL.',
    });
  const database = await openUnmigrated(location);
  try {
    const done = await doneMigrations(database);
    const schema = checkedSchema(done, databaseUrl === undefined ? dataDir : 'DATABASE_URL');
    const copy =
      databaseUrl === undefined ? sqliteCopy(database, done) : await postgresCopy(database, done, databaseUrl, run);
    return {
      kind: databaseUrl === undefined ? 'sqlite' : 'postgresql',
      schema,
      readNames: () => namedObjects(database, done),
      copyTo: copy,
      close: () => database.destroy(),
    };
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

function checkedSchema(done: readonly string[], where: string): string {
  const last = done.at(-1);
  if (last === undefined)
    throw new UserError('config_invalid', `The database of ${where} has no tables of a service`, {
      hint: 'Start the service once, or name its data with --data or DATABASE_URL.',
    });
  const unknown = done.filter((name) => !(name in migrations));
  if (unknown.length === 0) return last;
  throw new UserError('config_invalid', `The database of ${where} was written by a newer version`, {
    hint: 'Use the version of framework that runs the service.',
  });
}

/**
 * `vacuum into` reads one moment in a read transaction, which no writer waits for, and writes a complete database without
 * a log. The library does not implement SQLite's interface for online backups, which would start again after each write of
 * another process.
 */
function sqliteCopy(database: Database, done: readonly string[]): DatabaseSource['copyTo'] {
  return async (path) => {
    await rm(path, { force: true });
    // An empty file may be replaced. It is created here for its mode.
    await (await open(path, 'wx', 0o600)).close();
    await sql`vacuum into ${path}`.execute(database);
    await flushFile(path);
    const Sqlite = await loadSqlite();
    const copy = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new Sqlite(path) as never }) });
    return namedObjects(copy, done).finally(() => copy.destroy());
  };
}

/** The dump and the names are read in the same snapshot of the database. */
async function postgresCopy(
  database: Database,
  done: readonly string[],
  databaseUrl: string,
  run: PostgresRun,
): Promise<DatabaseSource['copyTo']> {
  await checkDumpVersion(database, run);
  return (path) =>
    database
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (session) => {
        // While pg_dump runs, this session does nothing.
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(session);
        const { rows } = await sql<{ id: string }>`select pg_export_snapshot() as id`.execute(session);
        const names = await namedObjects(session, done);
        await rm(path, { force: true });
        await dumpDatabase({ databaseUrl, path, snapshot: rows[0]?.id ?? '' }, run);
        return names;
      });
}

export const databaseFileOf = ({ kind }: Pick<DatabaseSource, 'kind'>): string => databaseFiles[kind];

/** Segments of renders came with this migration. */
const segmentsSince = '006-render-time';

/**
 * Keys of files, except those of deleted projects and renders: no request or render reads them any more, and deleting them
 * again after a restore does no harm.
 */
async function namedObjects(session: Session, migrations: readonly string[]): Promise<Set<string>> {
  const assets = await session
    .selectFrom('assets')
    .select('object_key')
    .where('deleted_at', 'is', null)
    // Retention clears the key when it deletes the file.
    .where('object_key', '!=', '')
    .execute();
  const results = await session
    .selectFrom('renders')
    .select(['video_key', 'thumbnail_key'])
    .where('deleted_at', 'is', null)
    .where(({ eb, or }) => or([eb('video_key', 'is not', null), eb('thumbnail_key', 'is not', null)]))
    .execute();
  const segments = migrations.includes(segmentsSince)
    ? await session
        .selectFrom('renders')
        .select(['id', 'segments'])
        .where('deleted_at', 'is', null)
        .where('status', 'in', ['queued', 'rendering'])
        .where('segments', 'is not', null)
        .execute()
    : [];
  return new Set([
    ...assets.map(({ object_key }) => object_key),
    ...results.flatMap(({ video_key, thumbnail_key }) => [video_key, thumbnail_key].filter((key) => key !== null)),
    ...segments.flatMap(segmentKeys),
  ]);
}
