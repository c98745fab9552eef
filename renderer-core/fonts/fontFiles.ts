// The files of a font package that renders use: a small part of it.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pinnedFamilies } from '../model/fonts/pinnedFamilies.ts';
import { readFaces } from '../plan/fonts/fontFaces.ts';

/** Paths in the package: its manifest and license, the style sheets of the pinned families, and the fonts that these name. */
export async function fontFiles(folder: string, name: string): Promise<string[]> {
  const families = pinnedFamilies.filter((family) => family.package === name);
  const sheets = families.flatMap((family) => family.sheets.map((sheet) => `${sheet}.css`));
  const texts = await Promise.all(sheets.map((sheet) => readFile(join(folder, sheet), 'utf8')));
  const fonts = texts.flatMap((text) => readFaces(text).map(({ file }) => file));
  const licenses = (await readdir(folder)).filter((file) => /^licen[cs]e/i.test(file));
  return ['package.json', ...licenses, ...new Set([...sheets, ...fonts])];
}
