// Finds project folders: for a given path, and below a folder.

import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path';
import { UserError } from '../errors.ts';
import { statIfExists } from './statIfExists.ts';

/** A folder with this file is a project. */
const entry = 'index.html';

/** `root` is absolute. `file` is set when `dir` was a file: its path relative to the root, with slashes. */
export type NamedProject = { root: string; file?: string };

/**
 * `dir` is a folder or an HTML file. The project of a file is the nearest parent folder with an `index.html`, or the
 * folder of the file. Throws UserError `project_not_found`.
 */
export async function findProject(dir: string): Promise<NamedProject> {
  const path = resolve(dir);
  const stats = await statIfExists(path);
  if (stats?.isDirectory()) return { root: path };
  if (!stats?.isFile() || !/\.html?$/i.test(path)) throw noProject(path, stats !== undefined);
  const root = (await folderAbove(dirname(path))) ?? dirname(path);
  return { root, file: relative(root, path).split(sep).join('/') };
}

/** The error for a path that is neither a folder nor an HTML file. */
export function noProject(path: string, exists: boolean): UserError {
  const message = exists ? `${path} is neither a folder nor an HTML file` : `The folder ${path} does not exist`;
  return new UserError('project_not_found', message, {
    hint: 'Specify the project folder, or the .html file of a composition.',
  });
}

/** The error for a folder without compositions. `file`: that of `findProject`. */
export function noComposition(dir: string, file: string | undefined): UserError {
  const message = file === undefined ? `No composition found in ${dir}` : `${dir} is not a composition`;
  return new UserError('composition_not_found', message, {
    hint: 'A composition is an HTML file in which an element has data-composition-id.',
  });
}

/** Number of parent folders that are searched for the project of a file. */
const maxLevels = 5;

async function folderAbove(from: string): Promise<string | undefined> {
  let folder = from;
  for (let level = 0; level < maxLevels; level++) {
    if (await exists(join(folder, entry))) return folder;
    // The search does not leave the repository.
    if ((await exists(join(folder, '.git'))) || dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
  return undefined;
}

const exists = async (path: string): Promise<boolean> => (await statIfExists(path)) !== undefined;

/** `folder` is relative to the given folder (`''` for itself); `files` are relative to `folder`. */
export type ProjectFolder = { folder: string; files: string[] };

/**
 * Groups files by project: the topmost folders with an `index.html`. Files outside of them belong to the given folder.
 */
export function groupByProject(files: readonly string[]): ProjectFolder[] {
  const folders = files
    .filter((path) => basename(path) === entry)
    .map((path) => (path.includes('/') ? posix.dirname(path) : ''))
    .sort((a, b) => a.length - b.length);
  const roots = new Set<string>();
  for (const folder of folders) if (rootOf(folder, roots) === undefined) roots.add(folder);
  const groups = new Map<string, string[]>();
  for (const path of files) {
    const folder = rootOf(path, roots) ?? '';
    const group = groups.get(folder);
    const inside = folder === '' ? path : path.slice(folder.length + 1);
    if (group) group.push(inside);
    else groups.set(folder, [inside]);
  }
  return [...groups].map(([folder, own]) => ({ folder, files: own }));
}

/** The project folder that contains or equals a path. */
function rootOf(path: string, roots: ReadonlySet<string>): string | undefined {
  if (roots.has('')) return '';
  for (let at = path; at !== ''; at = at.includes('/') ? posix.dirname(at) : '') if (roots.has(at)) return at;
  return undefined;
}
