// The documentation that is part of the package.
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Relative to the sources, or to the bundle in dist. */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../docs/' : '../docs/', import.meta.url);

/** `name` is the file name (`render.md`), `title` the first heading. */
export type DocPage = { name: string; title: string; text: string };

/** Sorted by name. Empty when the documentation is not installed. */
export async function readDocs(): Promise<DocPage[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.md')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text };
    }),
  );
}

/** Absolute path of a file of the documentation, such as `schemas/render.json`. */
export const docFile = (name: string): string => fileURLToPath(new URL(name, folder));
