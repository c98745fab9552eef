// Whether a path is inside of a folder, by the rules of this system.
import system, { type PlatformPath } from 'node:path';

/**
 * The path of a file relative to a folder, with slashes; `''` for the folder itself, undefined if the file is not in it. Both are
 * absolute. Links are not followed.
 */
export function pathInside(folder: string, file: string, paths: PlatformPath = system): string | undefined {
  const below = paths.relative(folder, file);
  // On Windows, a path on another drive stays absolute.
  if (below === '..' || below.startsWith(`..${paths.sep}`) || paths.isAbsolute(below)) return undefined;
  return below.split(paths.sep).join('/');
}
