// Writes a backup of the service's data while the service runs: its database, the files that its rows name, and a manifest.
import { mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { UserError } from '../../../renderer-core/errors.ts';
import { syncFolder } from '../storage/diskObjects.ts';
import { writeNewFile } from '../storage/newFile.ts';
import { checksum, fileExists, linkOrCopy } from './backupFiles.ts';
import { type BackupFile, type BackupManifest, manifestName, manifestText, objectsName } from './backupManifest.ts';
import { type DatabaseSource, databaseFileOf } from './databaseSource.ts';
import { openPartialFolder, type PartialFolder } from './partialFolder.ts';

/** `total` is 0 if it is not known. */
export type BackupEvent = { stage: 'database' | 'files' | 'checksums' | 'restore'; done: number; total: number };

export type BackupOptions = {
  /** The folder of the backup, which must not exist. */
  target: string;
  /** The folder of the object store; undefined if files are in a bucket. */
  objectsFolder: string | undefined;
  version: string;
  /** Unix milliseconds. */
  now: number;
  signal: AbortSignal;
  onEvent?: (event: BackupEvent) => void;
};

/**
 * The backup appears under its name when it is complete and on the disk, or not at all. Throws UserError
 * `output_unwritable`, `disk_full`, `backup_failed` or `cancelled`.
 */
export async function createBackup(source: DatabaseSource, options: BackupOptions): Promise<BackupManifest> {
  const target = resolve(options.target);
  await rejectExisting(target);
  return withClearErrors(target, options.signal, async () => {
    const partial = await openPartialFolder(dirname(target));
    try {
      return await fill(source, partial, { ...options, target });
    } finally {
      await partial.close();
    }
  });
}

async function fill(source: DatabaseSource, partial: PartialFolder, options: BackupOptions): Promise<BackupManifest> {
  const { target, objectsFolder, version, now } = options;
  const { names, missing } = await copyData(source, partial.path, options);
  const paths = [databaseFileOf(source), ...(objectsFolder === undefined ? [] : names.map(pathOf))];
  const manifest: BackupManifest = {
    format: 1,
    version,
    created_at: new Date(now).toISOString(),
    database: source.kind,
    schema: source.schema,
    objects: objectsFolder === undefined ? 'bucket' : 'disk',
    missing,
    files: await describeFiles(partial.path, paths, options),
  };
  await writeNewFile(join(partial.path, manifestName), [Readable.from([manifestText(manifest)])], { flush: true });
  await syncFolder(partial.path);
  // A folder that appeared meanwhile would be replaced if it is empty.
  await rejectExisting(target);
  await partial.publish(target);
  return manifest;
}

/** The database changes faster than files can be copied. */
const maxRounds = 20;

/**
 * Copies the database and the files that the copy names. Rows and files are not copied at the same moment:
 *
 * - A file is stored before the row that names it is committed, so every file that the copy of the database names existed at the
 *   moment of the copy. Files are therefore copied after the database.
 * - A file can be deleted between both. Therefore files are also copied before: this finds those that existed then, and after the
 *   copy only those remain that were stored meanwhile, most often none.
 * - A file that was both stored and deleted meanwhile is in neither. Then the database is copied again. A file that was missing
 *   before a copy of the database, and which that copy still names, was missing already, and the copy is kept.
 *
 * So the backup lacks a file only if the service lacked it, too. Files that only earlier copies named are removed.
 */
async function copyData(
  source: DatabaseSource,
  folder: string,
  options: BackupOptions,
): Promise<{ names: string[]; missing: string[] }> {
  const { onEvent, signal } = options;
  const copied = new Set<string>();
  const known = await copyObjects(await source.readNames(), copied, folder, options);
  for (let round = 0; round < maxRounds; round++) {
    signal.throwIfAborted();
    onEvent?.({ stage: 'database', done: 0, total: 1 });
    const names = await source.copyTo(join(folder, databaseFileOf(source)));
    onEvent?.({ stage: 'database', done: 1, total: 1 });
    const missing = await copyObjects(names, copied, folder, options);
    if ([...missing].every((name) => known.has(name))) {
      for (const name of copied) if (!names.has(name)) await rm(join(folder, pathOf(name)), { force: true });
      const kept = [...names].filter((name) => !missing.has(name));
      return { names: kept.sort(), missing: [...missing].sort() };
    }
    for (const name of missing) known.add(name);
  }
  throw new UserError('backup_failed', 'Files are deleted faster than they can be copied', {
    hint: 'Repeat the backup, or write it to the disk of the data folder.',
  });
}

const pathOf = (key: string): string => `${objectsName}/${key}`;

/** Copies the files that are not in `copied` yet, and adds them. Returns those that are missing. */
async function copyObjects(
  names: ReadonlySet<string>,
  copied: Set<string>,
  folder: string,
  { objectsFolder, signal, onEvent }: BackupOptions,
): Promise<Set<string>> {
  const missing = new Set<string>();
  if (objectsFolder === undefined) return missing;
  const wanted = [...names].filter((name) => !copied.has(name));
  for (const parent of new Set(wanted.map((name) => dirname(pathOf(name)))))
    await mkdir(join(folder, parent), { recursive: true, mode: 0o700 });
  for (const [index, name] of wanted.entries()) {
    signal.throwIfAborted();
    if (await linkOrCopy(join(objectsFolder, name), join(folder, pathOf(name)))) copied.add(name);
    else missing.add(name);
    onEvent?.({ stage: 'files', done: index + 1, total: wanted.length });
  }
  return missing;
}

/** Reads every file once, and flushes the folders. */
async function describeFiles(
  folder: string,
  paths: readonly string[],
  { signal, onEvent }: BackupOptions,
): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  for (const path of paths) {
    files.push({ path, ...(await checksum(join(folder, path), signal)) });
    onEvent?.({ stage: 'checksums', done: files.length, total: paths.length });
  }
  const folders = new Set(paths.map((path) => dirname(path)));
  for (const name of folders) await syncFolder(join(folder, name));
  if (folders.size > 1) await syncFolder(join(folder, objectsName));
  return files;
}

async function rejectExisting(target: string): Promise<void> {
  if (!(await fileExists(target))) return;
  throw new UserError('output_unwritable', `${target} already exists`, {
    hint: `Choose a new name, such as ${basename(target)}-2: a backup never replaces another one.`,
  });
}

/** The errors of file systems and of a cancelled command as UserErrors. */
export async function withClearErrors<T>(target: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (signal.aborted) throw new UserError('cancelled', 'Cancelled. Nothing was changed.', { cause: error });
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'SQLITE_FULL')
      throw new UserError('disk_full', `The disk of ${target} is full`, { hint: 'Free some space.', cause: error });
    if (syscall === undefined) throw error;
    throw new UserError('output_unwritable', `Cannot write to ${target}: ${message}`, {
      hint: 'Choose a folder that you can write to, or run the command as the user of the service.',
      cause: error,
    });
  }
}
