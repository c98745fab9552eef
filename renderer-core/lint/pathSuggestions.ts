// Fixes for wrong paths: finds the most similar files and writes references to them.

import { encodeAttributeText } from '../model/text/attributeText.ts';
import type { Span } from '../model/text/spans.ts';
import { nearestName } from '../model/text/suggest.ts';
import { quoteAround } from './attributeEdits.ts';
import { fixInFile, likelyFix, type RuleContext } from './context.ts';
import type { Fix, TextEdit } from './finding.ts';

/** In larger projects and folders, names that are only similar are not searched. */
const mostSearched = { project: 5000, folder: 500 };
const mostSuggested = 3;
/** Shorter names resemble too many others. */
const shortestSimilar = 4;

/**
 * The most likely files for a wrong path, the best one first: other letter case, the same name in another folder, another
 * extension, a similar name in the same folder or in any other one.
 */
export function similarPaths(wanted: string, files: readonly string[]): string[] {
  const { byName, byStem, byFolder, byBareStem, byKind } = indexPaths(files);
  const lower = wanted.toLowerCase();
  const name = nameOf(lower);
  const isSameKind = (file: string) => kindOf(file) === kindOf(lower);
  const sameName = [...(byName.get(name) ?? [])].sort((a, b) => sharedFolders(b, lower) - sharedFolders(a, lower));
  const elsewhere = (byBareStem.get(stemOf(name)) ?? []).filter(isSameKind);
  const found = new Set([
    ...sameName.filter((file) => file.toLowerCase() === lower),
    ...sameName,
    ...(byStem.get(stemOf(lower)) ?? []).filter(isSameKind),
    ...(elsewhere.length <= mostSuggested ? elsewhere : []),
  ]);
  if (found.size === 0) {
    const siblings = byFolder.get(wanted.slice(0, wanted.length - name.length)) ?? [];
    if (siblings.length <= mostSearched.folder) addSimilar(found, wanted, siblings);
    if (files.length <= mostSearched.project && stemOf(name).length >= shortestSimilar)
      addSimilar(found, wanted, byKind.get(kindOf(lower)) ?? []);
  }
  return [...found].slice(0, mostSuggested);
}

/** Adds the files with the most similar names. */
function addSimilar(found: Set<string>, wanted: string, files: readonly string[]): void {
  const stem = stemOf(nameOf(wanted.toLowerCase()));
  // `line-2` is not a typo of `line-1`: the files of a series differ in their numbers.
  let others = files.filter((file) => withoutDigits(nameOf(file)) !== withoutDigits(nameOf(wanted)));
  while (found.size < mostSuggested) {
    const near = nearestName(
      stem,
      others.map((file) => stemOf(nameOf(file))),
    );
    if (near === undefined) return;
    const isNear = (file: string) => stemOf(nameOf(file)) === near;
    for (const file of others.filter(isNear)) found.add(file);
    others = others.filter((file) => !isNear(file));
  }
}

/** The number of folders of `path` that are also in `other`. */
function sharedFolders(path: string, other: string): number {
  const folders = new Set(other.split('/').slice(0, -1));
  return path
    .toLowerCase()
    .split('/')
    .slice(0, -1)
    .filter((folder) => folders.has(folder)).length;
}

const extensions = {
  image: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'svg', 'apng', 'bmp', 'ico'],
  video: ['mp4', 'webm', 'mov', 'mkv', 'm4v', 'avi', 'ogv'],
  audio: ['mp3', 'wav', 'ogg', 'oga', 'm4a', 'aac', 'flac', 'opus'],
  font: ['woff2', 'woff', 'ttf', 'otf'],
  page: ['html', 'htm'],
};

/** Files of the same kind can replace each other: images, videos. Otherwise the extension. */
function kindOf(path: string): string {
  const extension = /\.([^./]*)$/.exec(path.toLowerCase())?.[1] ?? '';
  return Object.entries(extensions).find(([, names]) => names.includes(extension))?.[0] ?? extension;
}

/** Files by name, by path and by name without extension (all in lower case), by folder with its slash, and by kind. */
type PathIndex = Record<
  'byName' | 'byStem' | 'byBareStem' | 'byFolder' | 'byKind',
  ReadonlyMap<string, readonly string[]>
>;

/** Cached, because many names are looked up in a file list before it changes. */
const indexes = new WeakMap<readonly string[], PathIndex>();

function indexPaths(files: readonly string[]): PathIndex {
  const known = indexes.get(files);
  if (known) return known;
  const byName = new Map<string, string[]>();
  const byStem = new Map<string, string[]>();
  const byBareStem = new Map<string, string[]>();
  const byFolder = new Map<string, string[]>();
  const byKind = new Map<string, string[]>();
  const add = (map: Map<string, string[]>, key: string, file: string) => {
    const same = map.get(key);
    if (same) same.push(file);
    else map.set(key, [file]);
  };
  for (const file of files) {
    add(byName, nameOf(file.toLowerCase()), file);
    add(byStem, stemOf(file.toLowerCase()), file);
    add(byBareStem, stemOf(nameOf(file.toLowerCase())), file);
    add(byKind, kindOf(file), file);
    add(byFolder, file.slice(0, file.length - nameOf(file).length), file);
  }
  const index = { byName, byStem, byBareStem, byFolder, byKind };
  indexes.set(files, index);
  return index;
}

const withoutDigits = (path: string): string => path.replace(/\d+/g, '#');

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const stemOf = (name: string): string => name.replace(/\.[^./]*$/, '');

/** One fix for each file, the best one first. `base`: see `referenceBase`. `edit` replaces the written reference. */
export function pathFixes(
  context: RuleContext,
  base: string,
  written: string,
  paths: readonly string[],
  edit: (reference: string) => TextEdit,
): Fix[] {
  return paths.map((path, index) => {
    const from = referenceTo(base, written, path);
    const suffix = /[?#].*$/s.exec(written)?.[0] ?? '';
    const create = index === 0 ? likelyFix : fixInFile;
    return create(context, `Change to "${from}"`, [edit(from + suffix)]);
  });
}

/** Replaces the text of an attribute or a style. */
export function replaceText({ text }: RuleContext, span: Span): (reference: string) => TextEdit {
  return (reference) => ({ span, text: encodeAttributeText(reference, quoteAround(text, span)) });
}

/** A reference to a file, with a leading slash if the written one has it. */
function referenceTo(from: string, written: string, path: string): string {
  const url = path
    .replace(/%(?=[\da-f]{2})/gi, '%25')
    .replaceAll('#', '%23')
    .replaceAll('?', '%3F');
  return written.startsWith('/') ? `/${url}` : relativeTo(from, url);
}

function relativeTo(file: string, path: string): string {
  const folder = file.split('/').slice(0, -1);
  const parts = path.split('/');
  let same = 0;
  while (same < folder.length && same < parts.length - 1 && folder[same] === parts[same]) same++;
  return [...folder.slice(same).map(() => '..'), ...parts.slice(same)].join('/');
}
