// Collects the sentences of `l10n.t` in the editor into l10n/bundle.l10n.json, for translators.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';

/** Returns the bundle's text. `root`: the repository's folder. */
export async function stringsOf(root) {
  const names = await readdir(join(root, 'client'), { recursive: true });
  const paths = names.filter((name) => name.endsWith('.ts')).map((name) => join(root, 'client', name));
  const files = await Promise.all(paths.sort().map((path) => readFile(path, 'utf8')));
  // Parsing takes most of the time.
  const sources = files.filter((text) => text.includes('l10n.t')).map((contents) => ({ extension: '.ts', contents }));
  const found = Object.entries(await getL10nJson(sources)).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(found), null, 2)}\n`;
}

if (process.argv[1] === import.meta.filename) {
  await mkdir('l10n', { recursive: true });
  await writeFile('l10n/bundle.l10n.json', await stringsOf('.'));
}
