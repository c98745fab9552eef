// The documentation that is shipped with the program: beside its bundle, or in the repository.
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Seen from the sources, and from the bundle in dist. */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../docs/' : '../docs/', import.meta.url);

/** A page by its name (`render.md`) with its first heading, and its whole text. */
export type DocPage = { name: string; title: string; text: string };

/** Every page of the documentation that is there, sorted by name. */
export async function readDocs(): Promise<DocPage[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.md')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text };
    }),
  );
}

/** Absolute path of a file of the documentation, `schemas/render.json`. */
export const docFile = (name: string): string => fileURLToPath(new URL(name, folder));
