// Reads and changes the credentials file: one process at a time, whole or not at all, for its owner's eyes alone.
import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, open, readdir, readFile, readlink, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { UserError } from '../errors.ts';
import { type CredentialsFile, parseCredentials } from './credentials.ts';
import { cancelled } from './retry.ts';

/** An empty object when there is no file. Throws UserError `credentials_invalid`. */
export async function readCredentials(path: string): Promise<CredentialsFile> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new UserError('credentials_invalid', `Cannot read the credentials file ${path}: ${code}.`, {
      hint: 'It must be a file that this user can read.',
      place: { file: path },
      cause: error,
    });
  }
  return parseCredentials(bytes.toString('utf8'), path);
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
  const held = await takeLock(target, path, signal);
  try {
    const current = await readCredentials(target);
    const next = await change(current);
    if (next === current) return current;
    if (held.isLost()) throw unwritable(path, 'its lock was taken away meanwhile');
    await onDisk(path, () => writePrivately(target, next));
    return next;
  } finally {
    await held.release();
  }
}

/** What the process that held the lock was doing is over when it has shown no life for so long. */
const staleMs = 10_000;
/** Longer than a refresh may take. */
const lockPatienceMs = 60_000;

type Held = { isLost(): boolean; release(): Promise<void> };

async function takeLock(target: string, path: string, signal: AbortSignal | undefined): Promise<Held> {
  const until = Date.now() + lockPatienceMs;
  for (;;) {
    if (signal?.aborted) throw cancelled(signal.reason);
    let isLost = false;
    try {
      const release = await lock(target, {
        realpath: false,
        stale: staleMs,
        onCompromised: () => {
          isLost = true;
        },
      });
      // Somebody else's by now, if it was lost.
      return { isLost: () => isLost, release: () => (isLost ? Promise.resolve() : release().catch(() => undefined)) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw unwritable(path, reasonOf(error), error);
      if (Date.now() > until) throw unwritable(path, `another process keeps ${target}.lock`, error);
      await sleep(20 + 80 * Math.random());
    }
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

async function writePrivately(target: string, content: CredentialsFile): Promise<void> {
  await removeAbandoned(target);
  if (Object.keys(content).length === 0) return rm(target, { force: true });
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(content, null, 2)}\n`);
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
    throw unwritable(path, reasonOf(error), error);
  }
}

function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

function unwritable(path: string, reason: string, cause?: unknown): UserError {
  return new UserError('output_unwritable', `Cannot write the credentials file ${path}: ${reason}.`, {
    hint: 'Check that the file and its folder belong to you and may be written.',
    cause,
  });
}
