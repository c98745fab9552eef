// Lists the font families that the compositions of a folder name, and where each of them comes from.
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { isCompositionFile, mayBeComposition, parseComposition } from '../model/composition.ts';
import { pinnedFamily } from '../model/fonts/pinnedFamilies.ts';
import { buildGraph, type ProjectGraph } from '../model/graph.ts';
import { readFaces } from '../plan/fonts/fontFaces.ts';
import { type UsedFont, usedFonts } from '../plan/fonts/usedFonts.ts';
import { findPackage } from '../project/packageFolder.ts';
import { isHtmlPath, listProjectFiles } from '../project/projectFiles.ts';
import { findProject, groupByProject, noComposition } from '../project/projectRoots.ts';
import { readInside } from '../project/readInside.ts';
import type { FontList, ListedFont } from './fontList.ts';
import { projectFontSheets } from './projectFonts.ts';

/**
 * Lists the fonts of a project folder, of a folder of projects, or of one HTML file. Throws UserError `project_not_found`,
 * `composition_not_found` or `config_invalid`.
 */
export async function listFonts(dir: string, signal?: AbortSignal): Promise<FontList> {
  const { root, file } = await findProject(dir);
  const paths = (await listProjectFiles(root, signal)).filter(isHtmlPath);
  const folders = file === undefined ? groupByProject(paths) : [{ folder: '', files: [file] }];
  const fonts = folders.flatMap(({ folder, files }) =>
    fontsOf(join(root, folder), files).map((font) => rooted(font, folder)),
  );
  if (fonts.length === 0 && !paths.some((path) => isComposition(readInside(root).read(path))))
    throw noComposition(dir, file);
  return { root, fonts: await Promise.all(fonts.map(withPinnedWeights)) };
}

const isComposition = (text: string | undefined): boolean =>
  text !== undefined && mayBeComposition(text) && isCompositionFile(parseComposition(text));

/** The fonts of a project's pages, those with the same source once. */
function fontsOf(root: string, paths: readonly string[]): UsedFont[] {
  const inside = readInside(root);
  const files = { ...inside, fontSheets: projectFontSheets(inside) };
  const graphs = paths.filter((path) => isComposition(files.read(path))).map((path) => buildGraph(path, files.read));
  const found = new Map<string, UsedFont>();
  for (const font of topLevel(graphs).flatMap((graph) => usedFonts(graph, files))) {
    const key = JSON.stringify([font.family.toLowerCase(), font.source, font.file]);
    const known = found.get(key);
    found.set(key, known ? { ...known, uses: withoutRepeats([...known.uses, ...font.uses]) } : font);
  }
  return [...found.values()];
}

/** Compositions that no other one embeds: files that are embedded get the fonts of their page. */
function topLevel(graphs: readonly ProjectGraph[]): readonly ProjectGraph[] {
  const embedded = new Set(graphs.flatMap(({ entry, files }) => [...files.keys()].filter((file) => file !== entry)));
  const top = graphs.filter(({ entry }) => !embedded.has(entry));
  return top.length === 0 ? graphs : top;
}

const withoutRepeats = (uses: UsedFont['uses']): UsedFont['uses'] => [
  ...new Map(uses.map((use) => [JSON.stringify(use), use])).values(),
];

function rooted({ file, uses, ...font }: UsedFont, folder: string): ListedFont {
  return {
    ...font,
    project: folder === '' ? '.' : folder,
    file: file === null ? null : posix.join(folder, file),
    uses: uses.map((use) => ({ ...use, file: posix.join(folder, use.file) })),
  };
}

/** The weights of a pinned family, from its package if it is installed. */
async function withPinnedWeights(font: ListedFont): Promise<ListedFont> {
  const family = font.substitute === null ? undefined : pinnedFamily(font.substitute);
  const installed = family && (await findPackage(family.package));
  if (!family || !installed) return font;
  const read = (sheet: string) => readFile(join(installed.folder, `${sheet}.css`), 'utf8').catch(() => '');
  const sheets = await Promise.all(family.sheets.map(read));
  return { ...font, weights: [...new Set(sheets.flatMap(readFaces).map(({ weight }) => weight))] };
}
