// Resolves a path from the user to a project folder and its entry composition.

import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, posix, resolve } from 'node:path';
import { UserError } from '../errors.ts';
import { nearestName } from '../model/text/suggest.ts';
import { pathInside } from './pathInside.ts';
import { noProject } from './projectRoots.ts';
import { statIfExists } from './statIfExists.ts';

export type ProjectPaths = {
  /** Absolute path of the folder. */
  root: string;
  /** The entry composition, relative to the folder, with slashes, not URL-encoded. */
  composition: string;
};

/**
 * `dir` is an .html file, which is the entry composition, or a project folder. In a folder, the entry composition is
 * `composition` or `index.html`. Throws UserError `project_not_found`, `composition_not_found` or `usage`.
 */
export async function resolveProject(dir: string, composition?: string): Promise<ProjectPaths> {
  const path = resolve(dir);
  const kind = await kindOf(path);
  if (kind === 'folder') return findComposition(path, composition ?? 'index.html');
  // Also for a file that does not exist: the error then lists the compositions in its folder.
  const isComposition = /\.html?$/i.test(path) && (kind === 'file' || (await kindOf(dirname(path))) === 'folder');
  if (!isComposition) throw noProject(path, kind !== 'nothing');
  if (composition !== undefined) {
    throw new UserError('usage', `Two compositions were given: ${dir} and "${composition}"`, {
      hint: 'Specify the project folder and the composition, or only the .html file.',
    });
  }
  return findComposition(dirname(path), basename(path));
}

async function findComposition(root: string, given: string): Promise<ProjectPaths> {
  const composition = pathInside(root, resolve(root, given));
  if (composition === undefined) throw outsideError(root, given);
  const path = join(root, composition);
  const kind = await kindOf(path);
  if (kind !== 'file') {
    const message =
      kind === 'nothing'
        ? `The composition ${composition} does not exist in ${root}`
        : `The composition ${composition || given} is not a file`;
    throw new UserError('composition_not_found', message, { hint: suggest(composition, await listHtmlFiles(root)) });
  }
  // Links that lead out of the folder are not followed.
  if (!pathInside(await realpath(root), await realpath(path))) throw outsideError(root, given);
  return { root, composition };
}

function outsideError(root: string, given: string): UserError {
  return new UserError('usage', `The composition ${given} is outside the project folder ${root}`, {
    hint: 'Specify a file inside the project folder, relative to that folder.',
  });
}

async function kindOf(path: string): Promise<'folder' | 'file' | 'other' | 'nothing'> {
  const stats = await statIfExists(path);
  if (stats === undefined) return 'nothing';
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() ? 'file' : 'other';
}

const maxListed = 8;
const maxDepth = 2;

function suggest(composition: string, found: string[]): string {
  if (found.length === 0) return 'The folder contains no HTML files. Add one, or specify another folder.';
  const sameName = found.find((path) => posix.basename(path) === posix.basename(composition));
  const nearest = sameName ?? nearestName(composition, found);
  const question = nearest === undefined ? '' : `Did you mean ${nearest}? `;
  const more = found.length > maxListed ? ` and ${found.length - maxListed} more` : '';
  return `${question}HTML files in the folder: ${found.slice(0, maxListed).join(', ')}${more}.`;
}

/** HTML files in the folder and up to two levels below it, sorted by depth. */
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

/** Sorted, without hidden names and packages. Empty for a folder that cannot be read. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
