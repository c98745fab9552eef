// Restores a backup. Until one last step, which replaces the database at once, the service has its old data; afterwards, that of
// the backup. A restore that is killed can be repeated.

import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { sql } from 'kysely';
import { UserError } from '../../../renderer-core/errors.ts';
import type { ServiceSettings } from '../settings.ts';
import { type DatabaseLocation, databaseName, openUnmigrated } from '../storage/database.ts';
import { lockData } from '../storage/dataLock.ts';
import { isTempObject, newTempObject, syncFolder } from '../storage/diskObjects.ts';
import { migrations } from '../storage/migrations.ts';
import { loadSqlite } from '../storage/sqlite.ts';
import { checksum, copyFlushed, fileExists, linkOrCopy } from './backupFiles.ts';
import { type BackupFile, type BackupManifest, databaseFiles, objectsName, readManifest } from './backupManifest.ts';
import { type BackupEvent, withClearErrors } from './createBackup.ts';
import { type PostgresRun, programVersion, restoreDump } from './postgresPrograms.ts';

export type RestoreOptions = {
  backup: string;
  location: DatabaseLocation;
  objects: ServiceSettings['objects']['kind'];
  /** Unix milliseconds. */
  now: number;
  run: PostgresRun;
  onEvent?: (event: BackupEvent) => void;
};

/** `previous`: the folder with the data of before, or null if there was none. */
export type Restored = { manifest: BackupManifest; previous: string | null };

/** Whether a restore replaces data. */
export const hasData = ({ dataDir }: DatabaseLocation): Promise<boolean> => fileExists(join(dataDir, databaseName));

/**
 * Checks every file of the backup first. Throws UserError `backup_invalid`, `config_invalid` (a running service, a database that
 * is not empty, other settings than those of the backup), `output_unwritable`, `disk_full`, `backup_failed` or `cancelled`.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { location, run } = options;
  const backup = resolve(options.backup);
  const manifest = await readManifest(backup);
  rejectOtherSettings(manifest, options);
  // The service holds this lock. With PostgreSQL it does not, but its database is then not empty.
  const unlock = await lockData(location.dataDir, 'Stop the service, then restore the backup.');
  try {
    return await withClearErrors(location.dataDir, run.signal, async () => {
      if (location.databaseUrl !== undefined) {
        await programVersion('pg_restore', run);
        await rejectFilledDatabase(location);
      }
      await checkFiles(backup, manifest, options);
      return { manifest, previous: await replaceData(backup, manifest, options) };
    });
  } finally {
    unlock();
  }
}

function rejectOtherSettings(
  { database, schema, objects, version }: BackupManifest,
  { location, objects: target }: RestoreOptions,
): void {
  const reject = (message: string, hint: string): never => {
    throw new UserError('config_invalid', message, { hint });
  };
  if (!(schema in migrations))
    reject(`The backup was written by a newer version (${version})`, `Restore it with framework ${version} or later.`);
  if (database === 'postgresql' && location.databaseUrl === undefined)
    reject('The backup is one of PostgreSQL, but DATABASE_URL is not set', 'Set it to the URL of an empty database.');
  if (database === 'sqlite' && location.databaseUrl !== undefined)
    reject('The backup is one of SQLite, but DATABASE_URL is set', 'Unset it to restore into the data folder.');
  if (objects === 'disk' && target === 's3')
    reject('The backup contains files, but SERVICE_S3_BUCKET is set', 'Unset it to restore them into the data folder.');
  if (objects === 'bucket' && target === 'disk')
    reject('The files of this backup are in a bucket, but SERVICE_S3_BUCKET is not set', 'Set it to that bucket.');
}

/** Lists every damaged file. */
async function checkFiles(backup: string, { files }: BackupManifest, { run, onEvent }: RestoreOptions): Promise<void> {
  const damaged: string[] = [];
  for (const [index, { path, bytes, sha256 }] of files.entries()) {
    const found = await checksum(join(backup, path), run.signal).catch((error: NodeJS.ErrnoException) => {
      if (run.signal.aborted) throw error;
      return error.code === 'ENOENT' ? 'missing' : 'unreadable';
    });
    if (typeof found === 'string') damaged.push(`${path} is ${found}`);
    else if (found.bytes !== bytes) damaged.push(`${path} has ${found.bytes} instead of ${bytes} bytes`);
    else if (found.sha256 !== sha256) damaged.push(`${path} has other contents`);
    onEvent?.({ stage: 'checksums', done: index + 1, total: files.length });
  }
  if (damaged.length === 0) return;
  const rest = damaged.length > maxListed ? [`${damaged.length - maxListed} more`] : [];
  throw new UserError('backup_invalid', [`${backup} is damaged:`, ...damaged.slice(0, maxListed), ...rest].join('\n'), {
    hint: 'Use another backup. Nothing was changed.',
    problems: damaged.map((message) => ({ message })),
  });
}

const maxListed = 20;
const stagePattern = /^\.restore-[0-9a-f]{16}$/;

/**
 * Everything happens inside the data folder, because it may be the root of a disk or the only folder that may be written.
 * Objects have random names and never change, so those of the backup can be stored next to the current ones. The database is
 * replaced last, by one `rename` or one transaction of PostgreSQL. Returns the folder with the data of before.
 */
async function replaceData(
  backup: string,
  manifest: BackupManifest,
  { location, now, run, onEvent }: RestoreOptions,
): Promise<string | null> {
  const { dataDir, databaseUrl } = location;
  // The lock of the data folder is held, so no other restore uses them.
  for (const name of (await readdir(dataDir)).filter((each) => stagePattern.test(each)))
    await rm(join(dataDir, name), { recursive: true, force: true });
  const stage = join(dataDir, `.restore-${randomBytes(8).toString('hex')}`);
  await mkdir(stage, { mode: 0o700 });
  try {
    if (databaseUrl === undefined) await copyFlushed(join(backup, databaseFiles.sqlite), join(stage, databaseName));
    const kept = join(stage, 'previous');
    const hasPrevious = await keepPrevious(dataDir, kept, databaseUrl === undefined);
    const objects = manifest.files.filter(({ path }) => path.startsWith(`${objectsName}/`));
    await placeObjects(backup, dataDir, objects, (done) => {
      run.signal.throwIfAborted();
      onEvent?.({ stage: 'files', done, total: objects.length });
    });
    onEvent?.({ stage: 'restore', done: 0, total: 1 });
    const previous = hasPrevious ? await namePrevious(kept, dataDir, now) : null;
    try {
      if (databaseUrl === undefined) await replaceDatabase(join(stage, databaseName), dataDir);
      else await restoreDump({ databaseUrl, path: join(backup, databaseFiles.postgresql) }, run);
    } catch (error) {
      // Nothing was replaced.
      if (previous !== null) await rm(previous, { recursive: true, force: true });
      throw error;
    }
    onEvent?.({ stage: 'restore', done: 1, total: 1 });
    const names = new Set(objects.map(({ path }) => path.slice(objectsName.length + 1)));
    if (manifest.objects === 'disk') await removeOthers(join(dataDir, objectsName), names);
    return previous;
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function replaceDatabase(file: string, dataDir: string): Promise<void> {
  // The log belongs to the old database, and would be applied to the new one.
  for (const end of ['-wal', '-shm']) await rm(join(dataDir, databaseName + end), { force: true });
  await rename(file, join(dataDir, databaseName));
  await syncFolder(dataDir);
}

/** Copies the current data to `kept`; objects are linked where possible. Returns false if there is no data. */
async function keepPrevious(dataDir: string, kept: string, withDatabase: boolean): Promise<boolean> {
  await mkdir(kept, { mode: 0o700 });
  let hasAny = false;
  if (withDatabase && (await fileExists(join(dataDir, databaseName)))) {
    await foldLog(join(dataDir, databaseName));
    for (const end of ['', '-wal'])
      if (await copyFlushed(join(dataDir, databaseName + end), join(kept, databaseName + end))) hasAny = true;
  }
  for (const key of await listObjects(join(dataDir, objectsName))) {
    await mkdir(dirname(join(kept, objectsName, key)), { recursive: true, mode: 0o700 });
    if (await linkOrCopy(join(dataDir, objectsName, key), join(kept, objectsName, key))) hasAny = true;
  }
  return hasAny;
}

/** Gives the data of before a name that says what it is. The folder can be used with `--data`. */
async function namePrevious(kept: string, dataDir: string, now: number): Promise<string> {
  const time = new Date(now)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
  for (let count = 1; ; count++) {
    // A restore in the same second has kept its own.
    const name = join(dataDir, `before-restore-${time}${count === 1 ? '' : `-${count}`}`);
    if (await fileExists(name)) continue;
    await rename(kept, name);
    await syncFolder(dataDir);
    return name;
  }
}

/** Replaces files of the same name too: they may be damaged, which can be the reason for the restore. */
async function placeObjects(
  backup: string,
  dataDir: string,
  objects: readonly BackupFile[],
  onPlaced: (done: number) => void,
): Promise<void> {
  const folders = new Set(objects.map(({ path }) => dirname(join(dataDir, path))));
  for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [index, { path }] of objects.entries()) {
    // Retention deletes such files after a day, if this process is killed.
    const temporary = join(dataDir, dirname(path), newTempObject());
    if (!(await linkOrCopy(join(backup, path), temporary)))
      throw new UserError('backup_invalid', `${path} of the backup was deleted while it was restored`);
    await rename(temporary, join(dataDir, path));
    // Renaming a file to another name of the same file does nothing.
    await rm(temporary, { force: true });
    onPlaced(index + 1);
  }
  for (const folder of folders) await syncFolder(folder);
}

/** Removes what only the data of before has; it is kept in its folder. */
async function removeOthers(objectsFolder: string, kept: ReadonlySet<string>): Promise<void> {
  for (const key of await listObjects(objectsFolder))
    if (!kept.has(key)) await rm(join(objectsFolder, key), { force: true });
}

async function listObjects(objectsFolder: string): Promise<string[]> {
  const kinds = await readdir(objectsFolder).catch(() => []);
  const keys = await Promise.all(
    kinds.map(async (kind) => {
      const names = await readdir(join(objectsFolder, kind)).catch(() => []);
      return names.filter((name) => !isTempObject(name)).map((name) => `${kind}/${name}`);
    }),
  );
  return keys.flat();
}

/** A database that receives a backup must be empty, except for tables of extensions. Throws UserError `config_invalid`. */
async function rejectFilledDatabase(location: DatabaseLocation): Promise<void> {
  const database = await openUnmigrated(location);
  try {
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      order by c.relname limit 1`.execute(database);
    const [first] = rows;
    if (first === undefined) return;
    throw new UserError('config_invalid', `The database at DATABASE_URL is not empty: it has the table ${first.name}`, {
      hint: 'Create an empty database, and set DATABASE_URL to it. The current one stays as it is.',
    });
  } finally {
    await database.destroy();
  }
}

/**
 * Makes the log a part of the SQLite database that is replaced, which SQLite only does while no other process has it open. A
 * damaged database is left as it is. Throws UserError `config_invalid` if a process uses it, such as a command of the operator.
 */
async function foldLog(path: string): Promise<void> {
  const Sqlite = await loadSqlite();
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
