// The folders that an agent may access. A path is allowed if it is in one of them after following all links.
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../../renderer-core/errors.ts';
import { pathInside } from '../../renderer-core/project/pathInside.ts';

export type Folders = {
  /** Absolute paths without links. Relative paths start from the first. */
  list(): readonly string[];
  /** Returns the absolute path, which need not exist. Throws UserError `usage` for a path outside the folders. */
  inside(path: string, from?: string): Promise<string>;
  isInside(path: string): Promise<boolean>;
};

/** `folders` is called for every check, because the client may change its roots. */
export function openFolders(folders: () => readonly string[]): Folders {
  const contains = async (path: string): Promise<boolean> => {
    const real = await realOf(path);
    return real !== undefined && folders().some((folder) => pathInside(folder, real) !== undefined);
  };
  return {
    list: folders,
    isInside: contains,
    async inside(path, from = folders()[0]) {
      if (path.includes('\0')) throw outside(path.replaceAll('\0', '?'), folders());
      const full = from === undefined ? resolve(path) : resolve(from, path);
      if (await contains(full)) return full;
      throw outside(path, folders());
    },
  };
}

/** Follows all links, also for a path that does not exist yet. Returns undefined if the target is unknown. */
async function realOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    // The target of a dangling link could be created later, anywhere.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || dirname(path) === path || (await isLink(path))) return undefined;
    const parent = await realOf(dirname(path));
    return parent === undefined ? undefined : join(parent, basename(path));
  }
}

/** For a path that `realpath` does not find: if `lstat` finds it, it is a dangling link. */
const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

function outside(path: string, folders: readonly string[]): UserError {
  return new UserError('usage', `${path} is outside the allowed folders`, {
    hint:
      folders.length === 0
        ? 'No folder is allowed: start framework mcp with a folder.'
        : `Allowed folders: ${folders.join(', ')}`,
  });
}
