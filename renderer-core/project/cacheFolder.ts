// The per-user cache: one private folder, whose entries appear whole or not at all.
import type { BigIntStats } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { UserError } from '../errors.ts';

const hint = 'Set FRAMEWORK_CACHE to a folder that this user can write.';
const abandonedAfterMs = 60 * 60 * 1000;

/** Absolute path of the cache: `FRAMEWORK_CACHE`, else `$XDG_CACHE_HOME/framework`, else `~/.cache/framework`. */
export function cacheRoot(env: NodeJS.ProcessEnv = process.env, home: string = homedir()): string {
  if (env.FRAMEWORK_CACHE)
    return isAbsolute(env.FRAMEWORK_CACHE) ? env.FRAMEWORK_CACHE : join(process.cwd(), env.FRAMEWORK_CACHE);
  const xdg = env.XDG_CACHE_HOME;
  // The XDG rules say that a relative value is to be ignored.
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, '.cache'), 'framework');
}

/**
 * The folder `<root>/<name>`, filled once. `fill` gets an empty folder beside it, which is renamed when it is full: two
 * processes may fill at once, the first rename wins and both get the same folder.
 * Throws UserError `output_unwritable` or `disk_full`; whatever else `fill` throws passes through.
 */
export async function cacheEntry(root: string, name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const target = join(root, name);
  if (await isTrustedFolder(target)) return target;
  let temporary: string | undefined;
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    await removeAbandoned(root);
    temporary = await mkdtemp(join(root, `.new-${name}-`));
    await fill(temporary);
    await rename(temporary, target);
    return target;
  } catch (error) {
    if (isTaken(error) && (await isTrustedFolder(target))) return target;
    throw cacheFault(error, root);
  } finally {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  }
}

/** True when a folder is there; throws when it belongs to somebody else, who could have planted programs in it. */
async function isTrustedFolder(path: string): Promise<boolean> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  if (stats === undefined) return false;
  if (stats.isDirectory() && isOurs(stats)) return true;
  throw new UserError(
    'output_unwritable',
    `The cache folder ${path} belongs to another user or can be changed by others.`,
    {
      hint: 'Delete it, or set FRAMEWORK_CACHE to a folder of your own.',
    },
  );
}

/** True when a folder is there, belongs to this user or to root, and cannot be changed by everybody. */
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

/** A process that was killed while it filled an entry leaves its folder behind; nobody else would delete it. */
async function removeAbandoned(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (!name.startsWith('.new-')) continue;
    const path = join(root, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats && Date.now() - stats.mtimeMs > abandonedAfterMs) await rm(path, { recursive: true, force: true });
  }
}

function isTaken(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return ['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'].includes(code);
}

/** A fault of the file system in the cache `root`, in words for people; anything else as it is. */
export function cacheFault(error: unknown, root: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new UserError('disk_full', `No space left for the cache folder ${root}.`, { hint, cause: error });
  }
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(code)) {
    return new UserError('output_unwritable', `Cannot write the cache folder ${root} (${code}).`, {
      hint,
      cause: error,
    });
  }
  return error;
}
