// The folders that an agent may work in: every path that it names is followed through all links, and has to end in one.
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { UserError } from '../errors.ts';

export type Folders = {
  /** Absolute, links followed. The first is where relative paths begin. */
  list(): readonly string[];
  /** The absolute path of something that need not be there yet. Throws UserError `usage` for one outside. */
  inside(path: string, from?: string): Promise<string>;
  isInside(path: string): Promise<boolean>;
};

/** `folders` is asked each time: a client may change its own. */
export function openFolders(folders: () => readonly string[]): Folders {
  const contains = async (path: string): Promise<boolean> => {
    const real = await realOf(path);
    return real !== undefined && folders().some((folder) => isBelow(folder, real));
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

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** Where a path leads to, also of what is not there yet; undefined where that cannot be told. */
async function realOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    // A link that leads nowhere could be made to lead anywhere, by whoever makes its target.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || dirname(path) === path || (await isLink(path))) return undefined;
    const parent = await realOf(dirname(path));
    return parent === undefined ? undefined : join(parent, basename(path));
  }
}

/** Only asked of what leads to nothing: then whatever is there is a link. */
const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

function outside(path: string, folders: readonly string[]): UserError {
  return new UserError('usage', `${path} is outside the folders that may be worked in`, {
    hint:
      folders.length === 0 ? 'There are none: start framework mcp with a folder.' : `They are: ${folders.join(', ')}`,
  });
}
