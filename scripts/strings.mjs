// Collects the sentences of `l10n.t` in the editor, and those of the preview's page, into l10n/bundle.l10n.json, for translators.
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
  sources.push({ extension: '.ts', contents: await pageTexts(join(root, 'preview/page/texts.ts')) });
  const found = Object.entries(await getL10nJson(sources)).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(found), null, 2)}\n`;
}

/** The texts of the table as calls of `l10n.t`: the page itself does not run in the extension. */
async function pageTexts(path) {
  const texts = (await readFile(path, 'utf8')).matchAll(/^ {2}\w+:\s+('.*'|".*"),$/gm);
  return ["import { l10n } from 'vscode';", ...Array.from(texts, ([, text]) => `l10n.t(${text});`)].join('\n');
}

if (process.argv[1] === import.meta.filename) {
  await mkdir('l10n', { recursive: true });
  await writeFile('l10n/bundle.l10n.json', await stringsOf('.'));
}
