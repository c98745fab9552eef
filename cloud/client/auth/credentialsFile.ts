// Reads and changes the credentials file: one process at a time, whole or not at all, for its owner's eyes alone.
import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, open, readdir, readFile, readlink, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../errors.ts';
import { takeLock } from '../project/fileLock.ts';
import { type CredentialsFile, parseCredentials } from './credentials.ts';
import { editedText } from './credentialsText.ts';

/** An empty object when there is no file. Throws UserError `credentials_invalid`. */
export async function readCredentials(path: string): Promise<CredentialsFile> {
  return parseCredentials(await readText(path), path);
}

async function readText(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '{}';
    throw new UserError('credentials_invalid', `Cannot read the credentials file ${path}: ${code}.`, {
      hint: 'It must be a file that this user can read.',
      place: { file: path },
      cause: error,
    });
  }
}

/**
 * Replaces the file's content by what `change` makes of it, with the file locked meanwhile: what other processes wrote
 * before is in what `change` is given. The same object: nothing is written. An empty one: the file is deleted.
 * Throws what `change` throws, and UserError `credentials_invalid`, `output_unwritable` or `cancelled`.
 */
export async function updateCredentials(
  path: string,
  change: (current: CredentialsFile) => CredentialsFile | Promise<CredentialsFile>,
  signal?: AbortSignal,
): Promise<CredentialsFile> {
  await onDisk(path, () => makePrivateFolder(dirname(path)));
  const target = await onDisk(path, () => followLink(path));
  const held = await onDisk(path, () => takeLock(target, signal));
  try {
    const text = await readText(target);
    const current = parseCredentials(text, target);
    const next = await change(current);
    if (next === current) return current;
    if (held.isLost()) throw unwritable(path, 'its lock was taken away meanwhile');
    await onDisk(path, () => writePrivately(target, next, editedText(text, current, next)));
    return next;
  } finally {
    await held.release();
  }
}

async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = await lstat(await realpath(folder));
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) await chmod(folder, 0o700);
}

/** Where the file is, or would be, when a link stands in its place. */
async function followLink(path: string): Promise<string> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isSymbolicLink()) return path;
  return realpath(path).catch(async () => resolve(dirname(path), await readlink(path)));
}

async function writePrivately(target: string, content: CredentialsFile, text: string): Promise<void> {
  await removeAbandoned(target);
  if (Object.keys(content).length === 0) return rm(target, { force: true });
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** What a killed process left holds secrets too. Nobody else writes now: the lock is ours. */
async function removeAbandoned(target: string): Promise<void> {
  const start = `${basename(target)}.`;
  for (const name of await readdir(dirname(target))) {
    if (name.startsWith(start) && /^[0-9a-f]{12}\.tmp$/.test(name.slice(start.length)))
      await rm(join(dirname(target), name), { force: true });
  }
}

async function onDisk<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw unwritable(path, code ?? message, error);
  }
}

function unwritable(path: string, reason: string, cause?: unknown): UserError {
  return new UserError('output_unwritable', `Cannot write the credentials file ${path}: ${reason}.`, {
    hint: 'Check that the file and its folder belong to you and may be written.',
    cause,
  });
}
