// A project's files as a composition may use them: those inside the folder, once all links are followed.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files by project-relative POSIX path. */
export type FilesInside = {
  exists(path: string): boolean;
  /** Undefined where there is no such file. */
  read(path: string): string | undefined;
  /** Whether there is a file at a path, but only behind a link that leads out of the project folder. */
  leadsOut(path: string): boolean;
};

/** Files inside `root`, also through links, as long as those stay inside. */
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
    leadsOut: (path) =>
      inside(path) === undefined && existsSync(join(root, path)) && statSync(join(root, path)).isFile(),
    read: (path) => {
      const real = inside(path);
      return real === undefined ? undefined : readFileSync(real, 'utf8');
    },
  };
}
