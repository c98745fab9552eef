// The documentation that is part of the package.

import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { UserError } from '../errors.ts';

/** Relative to the sources, or to the bundle in dist. */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../docs/' : '../docs/', import.meta.url);

/** `name` is the file name (`render.md`), `title` the first heading. */
export type DocPage = { name: string; title: string; text: string };

/** Sorted by name. Empty when the documentation is not installed. */
export async function readDocs(): Promise<DocPage[]> {
  return Promise.all(
    (await docNames(fileURLToPath(folder), '.md')).map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text };
    }),
  );
}

/**
 * The names of the files in a folder that end in `extension`, sorted. Empty when the folder does not exist. Throws UserError
 * `internal_error` when it cannot be read.
 */
export async function docNames(folder: string, extension: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new UserError('internal_error', `Cannot read the documentation: ${error.message}`, {
      hint: 'Check the permissions of the folder in which framework is installed, or install framework again.',
      cause: error,
    });
  });
  return names.filter((name) => name.endsWith(extension)).sort();
}

/** Absolute path of a file of the documentation, such as `schemas/render.json`. */
export const docFile = (name: string): string => fileURLToPath(new URL(name, folder));
