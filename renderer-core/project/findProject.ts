// Finds the project folder and its entry composition from what the user named.
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { UserError } from '../errors.ts';
import { nearestName } from '../model/suggest.ts';

export type ProjectPaths = {
  /** Absolute path of the folder. */
  root: string;
  /** The entry composition: relative to the folder, with slashes, taken literally (`%20` is no space). */
  composition: string;
};

/**
 * `dir` is a project folder, or an .html file: then that file is the composition. Otherwise `composition` is, or
 * `index.html`. Throws UserError `project_not_found`, `composition_not_found` or `usage`.
 */
export async function resolveProject(dir: string, composition?: string): Promise<ProjectPaths> {
  const path = resolve(dir);
  const kind = await kindOf(path);
  if (kind === 'folder') return findComposition(path, composition ?? 'index.html');
  // Also for a file that is not there: its folder shows what the user may have meant.
  const namesComposition = /\.html?$/i.test(path) && (kind === 'file' || (await kindOf(dirname(path))) === 'folder');
  if (!namesComposition) {
    const message = kind === 'nothing' ? `There is no folder ${path}` : `${path} is neither a folder nor an HTML file`;
    throw new UserError('project_not_found', message, {
      hint: 'Name the project folder, or the .html file of a composition.',
    });
  }
  if (composition !== undefined) {
    throw new UserError('usage', `${dir} already names the composition, and so does "${composition}"`, {
      hint: 'Name the folder and the composition, or the .html file alone.',
    });
  }
  return findComposition(dirname(path), basename(path));
}

async function findComposition(root: string, named: string): Promise<ProjectPaths> {
  const composition = relativePath(root, named);
  if (composition === undefined) throw outsideError(root, named);
  const path = join(root, composition);
  const kind = await kindOf(path);
  if (kind !== 'file') {
    const message =
      kind === 'nothing'
        ? `The composition ${composition} does not exist in ${root}`
        : `The composition ${composition} is not a file`;
    throw new UserError('composition_not_found', message, { hint: suggest(composition, await listHtmlFiles(root)) });
  }
  // The server and the reader follow links only inside the folder.
  if (!(await realpath(path)).startsWith(join(await realpath(root), sep))) throw outsideError(root, named);
  return { root, composition };
}

function outsideError(root: string, named: string): UserError {
  return new UserError('usage', `The composition ${named} is outside the project folder ${root}`, {
    hint: 'Name a file inside the folder, by its path from there.',
  });
}

/** `named` from `root`, with slashes and without dots; undefined when it leads out. */
function relativePath(root: string, named: string): string | undefined {
  const fromRoot = isAbsolute(named) ? relative(root, named) : named;
  const path = posix.normalize(sep === '\\' ? fromRoot.replaceAll('\\', '/') : fromRoot);
  // On Windows, a path on another drive stays absolute.
  return path === '..' || path.startsWith('../') || isAbsolute(path) ? undefined : path;
}

async function kindOf(path: string): Promise<'folder' | 'file' | 'other' | 'nothing'> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return 'nothing';
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() ? 'file' : 'other';
}

const maxListed = 8;
const maxDepth = 2;

function suggest(composition: string, found: string[]): string {
  if (found.length === 0) return 'The folder has no HTML files; add one, or name another folder.';
  const sameName = found.find((path) => posix.basename(path) === posix.basename(composition));
  const nearest = sameName ?? nearestName(composition, found);
  const question = nearest === undefined ? '' : `Did you mean ${nearest}? `;
  const more = found.length > maxListed ? ` and ${found.length - maxListed} more` : '';
  return `${question}HTML files in the folder: ${found.slice(0, maxListed).join(', ')}${more}.`;
}

/** HTML files in the folder and up to two folders deep, the ones near the top first. */
async function listHtmlFiles(root: string): Promise<string[]> {
  const found: string[] = [];
  let folders = [''];
  for (let depth = 0; depth <= maxDepth; depth++) {
    const deeper: string[] = [];
    for (const folder of folders) {
      for (const entry of await entriesOf(join(root, folder))) {
        const path = posix.join(folder, entry.name);
        if (entry.isDirectory()) deeper.push(path);
        else if (entry.isFile() && /\.html?$/i.test(entry.name)) found.push(path);
      }
    }
    folders = deeper;
  }
  return found;
}

/** What the author made, sorted. A folder that cannot be read has nothing to suggest. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
