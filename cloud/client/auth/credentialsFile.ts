// Reads and updates the credentials file. Updates are locked between processes, atomic, and readable by the owner only.

import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, open, readdir, readlink, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, type JSONPath, modify } from 'jsonc-parser';
import { UserError } from '../../../renderer-core/errors.ts';
import { acquireLock } from '../../../renderer-core/project/fileLock.ts';
import { shellWord } from '../shellCommands.ts';
import { type CredentialsFile, isObject, parseCredentials } from './credentials.ts';

/** An empty object when the file does not exist. Throws UserError `credentials_invalid`. */
export async function readCredentials(path: string): Promise<CredentialsFile> {
  return parseCredentials(await readText(path), path);
}

async function readText(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      rejectPublic(path, await file.stat());
      return (await file.readFile('utf8')).replace(/^\uFEFF/, '');
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '{}';
    throw new UserError('credentials_invalid', `Cannot read the credentials file ${path}: ${code}.`, {
      hint: 'It must be a file that you can read.',
      place: { file: path },
      cause: error,
    });
  }
}

/** Like ssh: rejects a file of this user that other users can read or write. Windows has no such modes. */
function rejectPublic(path: string, { mode, uid }: { mode: number; uid: number }): void {
  if (process.platform === 'win32' || uid !== process.getuid?.() || (mode & 0o077) === 0) return;
  const shown = (mode & 0o777).toString(8);
  throw new UserError('credentials_invalid', `Other users can access the credentials file ${path} (mode ${shown}).`, {
    hint: `Run: chmod 600 ${shellWord(path)}`,
    place: { file: path },
  });
}

/** `now` is in unix milliseconds. */
export type UpdateOptions = { now: () => number; signal?: AbortSignal | undefined };

/**
 * Replaces the content of the file by the result of `change`. The file is locked while it is read, changed and written.
 * If `change` returns the same object, nothing is written; if it returns an empty object, the file is deleted.
 * Throws what `change` throws, and UserError `credentials_invalid`, `output_unwritable` or `cancelled`.
 */
export async function updateCredentials(
  path: string,
  change: (current: CredentialsFile) => CredentialsFile | Promise<CredentialsFile>,
  options: UpdateOptions,
): Promise<CredentialsFile> {
  await withDiskErrors(path, () => makePrivateFolder(dirname(path)));
  const target = await withDiskErrors(path, () => followLink(path));
  const lock = await withDiskErrors(path, () => acquireLock(target, options));
  try {
    const text = await readText(target);
    const current = parseCredentials(text, target);
    const next = await change(current);
    if (next === current) return current;
    if (lock.isLost()) throw unwritable(path, 'another process took over its lock');
    await withDiskErrors(path, () => writePrivately(target, next, editedText(text, current, next)));
    return next;
  } finally {
    await lock.release();
  }
}

async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = await lstat(await realpath(folder));
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) await chmod(folder, 0o700);
}

/** The target of `path` when that is a link, even if the target does not exist yet. */
async function followLink(path: string): Promise<string> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isSymbolicLink()) return path;
  return realpath(path).catch(async () => resolve(dirname(path), await readlink(path)));
}

async function writePrivately(target: string, content: CredentialsFile, text: string): Promise<void> {
  await removeStaleTempFiles(target);
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

/** Temporary files of killed processes contain secrets. The lock is held, so no other process is writing. */
async function removeStaleTempFiles(target: string): Promise<void> {
  const prefix = `${basename(target)}.`;
  for (const name of await readdir(dirname(target))) {
    if (name.startsWith(prefix) && /^[0-9a-f]{12}\.tmp$/.test(name.slice(prefix.length)))
      await rm(join(dirname(target), name), { force: true });
  }
}

async function withDiskErrors<T>(path: string, action: () => Promise<T>): Promise<T> {
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
    hint: 'Check that you own the file and its folder, and that both are writable.',
    cause,
  });
}

const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };

/** `text` is the JSON of `before`; returns JSON of `after` that ends with a line feed. */
function editedText(text: string, before: CredentialsFile, after: CredentialsFile): string {
  let edited = text.trimEnd();
  for (const path of changedPaths(before, after)) {
    const value = path.reduce<unknown>((object, name) => (isObject(object) ? object[name] : undefined), after);
    edited = applyEdits(edited, modify(edited, path, value, { formattingOptions }));
  }
  // If a name occurs twice, the edit changes one of them and JSON.parse reads the other.
  return `${parsesTo(edited, after) ? edited : JSON.stringify(after, null, 2)}\n`;
}

function parsesTo(text: string, content: CredentialsFile): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), content);
  } catch {
    return false;
  }
}

/** Members that differ. In `oauth` and `user`, only their own members that differ. */
function changedPaths(before: CredentialsFile, after: CredentialsFile): JSONPath[] {
  return changedNames(before, after).flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    const isNested = (name === 'oauth' || name === 'user') && isObject(old) && isObject(now);
    return isNested ? changedNames(old, now).map((inner) => [name, inner]) : [[name]];
  });
}

function changedNames(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]));
}
