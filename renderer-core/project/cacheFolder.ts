// The per-user cache: a private folder whose entries are created atomically.

import type { BigIntStats } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { UserError } from '../errors.ts';
import { statIfExists } from './statIfExists.ts';

const hint = 'Set FRAMEWORK_CACHE to a folder that you can write to.';
const abandonedAfterMs = 60 * 60 * 1000;

/** Absolute path of the cache: `FRAMEWORK_CACHE`, `$XDG_CACHE_HOME/framework` or `~/.cache/framework`. */
export function cacheRoot(env: NodeJS.ProcessEnv, home: string = homedir()): string {
  if (env.FRAMEWORK_CACHE)
    return isAbsolute(env.FRAMEWORK_CACHE) ? env.FRAMEWORK_CACHE : join(process.cwd(), env.FRAMEWORK_CACHE);
  const xdg = env.XDG_CACHE_HOME;
  // The XDG specification requires ignoring relative paths.
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, '.cache'), 'framework');
}

/**
 * Returns the folder `<root>/<name>`, which `fill` creates on first use. `fill` writes to a temporary folder that is then
 * renamed. If two processes fill at the same time, the first rename wins and both use that folder.
 * Throws UserError `output_unwritable` or `disk_full`, and other errors of `fill`.
 */
export async function cacheEntry(root: string, name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const target = join(root, name);
  if (await isTrustedFolder(target)) return target;
  let temporary: string | undefined;
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    temporary = await mkdtemp(join(root, `.new-${name}-`));
    await removeAbandoned(root, (await stat(temporary)).mtimeMs);
    await fill(temporary);
    await rename(temporary, target);
    return target;
  } catch (error) {
    if (isTaken(error) && (await isTrustedFolder(target))) return target;
    throw toCacheError(error, root);
  } finally {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  }
}

/** True when the folder exists. Throws when another user could have put programs into it. */
async function isTrustedFolder(path: string): Promise<boolean> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  if (stats === undefined) return false;
  if (stats.isDirectory() && isOurs(stats)) return true;
  throw new UserError(
    'output_unwritable',
    `The cache folder ${path} must belong to you and must not be writable by other users.`,
    {
      hint: 'Delete it, or set FRAMEWORK_CACHE to a folder that you own.',
    },
  );
}

/** True when the folder exists, belongs to this user or root, and is not writable by everyone. */
export async function isOwnFolder(path: string): Promise<boolean> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  return stats?.isDirectory() === true && isOurs(stats);
}

function isOurs(stats: BigIntStats): boolean {
  const me = process.getuid?.();
  if (me === undefined) return true;
  const owned = stats.uid === BigInt(me) || stats.uid === 0n;
  return owned && (stats.mode & 0o002n) === 0n;
}

/** Removes temporary folders of killed processes. `nowMs` is the time of the file system, which may be a remote one. */
async function removeAbandoned(root: string, nowMs: number): Promise<void> {
  for (const name of await readdir(root)) {
    if (!name.startsWith('.new-')) continue;
    const path = join(root, name);
    const stats = await statIfExists(path);
    if (stats && nowMs - stats.mtimeMs > abandonedAfterMs) await rm(path, { recursive: true, force: true });
  }
}

function isTaken(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return ['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'].includes(code);
}

/** Converts an error of the file system in the cache `root` to a UserError; returns any other error unchanged. */
export function toCacheError(error: unknown, root: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new UserError('disk_full', `The disk has no space for the cache folder ${root}.`, {
      hint: hint,
      cause: error,
    });
  }
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(code)) {
    return new UserError('output_unwritable', `Cannot write to the cache folder ${root} (${code}).`, {
      hint: hint,
      cause: error,
    });
  }
  return error;
}
