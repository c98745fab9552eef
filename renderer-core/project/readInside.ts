// Reads files of a project, and refuses links that lead out of the project folder.
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Paths are project-relative, with slashes. */
export type FilesInside = {
  exists(path: string): boolean;
  /** Undefined when the file does not exist. */
  read(path: string): string | undefined;
  /** Whether the path is a link to a file outside the project folder. */
  escapesProject(path: string): boolean;
  /** The names in a folder, sorted in UTF-16 code units; none if there is no such folder. */
  list(folder: string): string[];
};

export function readInside(root: string): FilesInside {
  const realRoot = realpathSync(root);
  const inside = (path: string): string | undefined => {
    const full = join(root, path);
    if (!existsSync(full)) return undefined;
    const real = realpathSync(full);
    return real.startsWith(join(realRoot, '/')) && statSync(real).isFile() ? real : undefined;
  };
  const folderInside = (path: string): string | undefined => {
    const full = join(root, path);
    const real = existsSync(full) ? realpathSync(full) : undefined;
    return real?.startsWith(join(realRoot, '/')) && statSync(real).isDirectory() ? real : undefined;
  };
  return {
    exists: (path) => inside(path) !== undefined,
    escapesProject: (path) =>
      inside(path) === undefined && existsSync(join(root, path)) && statSync(join(root, path)).isFile(),
    read: (path) => {
      const real = inside(path);
      return real === undefined ? undefined : readFileSync(real, 'utf8');
    },
    list(folder) {
      const real = folderInside(folder);
      return real === undefined ? [] : readdirSync(real).sort();
    },
  };
}
