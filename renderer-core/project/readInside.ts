// Reads files of a project, and refuses links that lead out of the project folder.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Paths are project-relative, with slashes. */
export type FilesInside = {
  exists(path: string): boolean;
  /** Undefined when the file does not exist. */
  read(path: string): string | undefined;
  /** Whether the path is a link to a file outside the project folder. */
  escapesProject(path: string): boolean;
};

export function readInside(root: string): FilesInside {
  const realRoot = realpathSync(root);
  const inside = (path: string): string | undefined => {
    const full = join(root, path);
    if (!existsSync(full)) return undefined;
    const real = realpathSync(full);
    return real.startsWith(join(realRoot, '/')) && statSync(real).isFile() ? real : undefined;
  };
  return {
    exists: (path) => inside(path) !== undefined,
    escapesProject: (path) =>
      inside(path) === undefined && existsSync(join(root, path)) && statSync(join(root, path)).isFile(),
    read: (path) => {
      const real = inside(path);
      return real === undefined ? undefined : readFileSync(real, 'utf8');
    },
  };
}
