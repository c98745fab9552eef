// Which folders are projects: the folder that was named, those below it with a composition of their own, one above a file.
import { stat } from 'node:fs/promises';
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path';
import { UserError } from '../errors.ts';

/** The file that makes a folder a project. */
const entry = 'index.html';

/** What was named: `root` absolute; `file` only when a single file was, relative to the root with slashes. */
export type NamedProject = { root: string; file?: string };

/**
 * `dir` is a folder, or an HTML file: then its project is the nearest folder above it that has an `index.html`, else its own.
 * Throws UserError `project_not_found`.
 */
export async function findProject(dir: string): Promise<NamedProject> {
  const path = resolve(dir);
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isDirectory()) return { root: path };
  if (!stats?.isFile() || !/\.html?$/i.test(path)) {
    const message = stats ? `${path} is neither a folder nor an HTML file` : `There is no folder ${path}`;
    throw new UserError('project_not_found', message, {
      hint: 'Name the project folder, or the .html file of a composition.',
    });
  }
  const root = (await folderAbove(dirname(path))) ?? dirname(path);
  return { root, file: relative(root, path).split(sep).join('/') };
}

/** How far up the project folder of a file is looked for. */
const mostLevels = 5;

async function folderAbove(from: string): Promise<string | undefined> {
  let folder = from;
  for (let level = 0; level < mostLevels; level++) {
    if (await isThere(join(folder, entry))) return folder;
    // A repository or a home folder is no part of a project inside it.
    if ((await isThere(join(folder, '.git'))) || dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
  return undefined;
}

const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined;

/** A project's folder below the one that was named (`''` for that one itself), and its files, relative to it. */
export type ProjectFolder = { folder: string; files: string[] };

/**
 * Groups the files of a folder into projects: the topmost folders that have an `index.html`. What is in none of them belongs
 * to the folder itself.
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

/** The project folder that a path is in or is. */
function rootOf(path: string, roots: ReadonlySet<string>): string | undefined {
  if (roots.has('')) return '';
  for (let at = path; at !== ''; at = at.includes('/') ? posix.dirname(at) : '') if (roots.has(at)) return at;
  return undefined;
}
