// The files of this repository, without those that .gitignore names.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ignore from 'ignore';

export const repository = fileURLToPath(new URL('../../', import.meta.url));

/** Their paths relative to `repository`, with `/`, in the order of the alphabet. */
export function repositoryFiles(): string[] {
  const rules = ignore()
    .add('.git')
    .add(readFileSync(join(repository, '.gitignore'), 'utf8'));
  const below = (folder: string): string[] =>
    readdirSync(join(repository, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder + entry.name;
      if (!entry.isDirectory()) return rules.ignores(path) ? [] : [path];
      return rules.ignores(`${path}/`) ? [] : below(`${path}/`);
    });
  return below('').sort();
}
