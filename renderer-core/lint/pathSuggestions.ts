// Fixes for wrong paths: finds the most similar file and writes the reference to it.

import { encodeAttributeText } from '../model/attributeText.ts';
import type { Span } from '../model/spans.ts';
import { nearestName } from '../model/suggest.ts';
import { quoteAround } from './attributeEdits.ts';
import { fixInFile, type RuleContext } from './context.ts';
import type { Fix } from './finding.ts';

/** Folders with more files than this are not searched for similar names. */
const mostCompared = 500;

/** The most likely file for a wrong path: the same name in another folder, other letter case, other extension, similar name. */
export function nearestPath(wanted: string, files: readonly string[]): string | undefined {
  const { byName, byStem, byFolder } = indexPaths(files);
  const lower = wanted.toLowerCase();
  const name = nameOf(lower);
  const sameName = byName.get(name) ?? [];
  const exact = sameName.find((file) => file.toLowerCase() === lower);
  if (exact !== undefined || sameName.length === 1) return exact ?? sameName[0];
  if (sameName.length > 1) return nearestName(wanted, sameName);
  const sameStem = byStem.get(stemOf(lower)) ?? [];
  if (sameStem.length === 1) return sameStem[0];
  const siblings = byFolder.get(wanted.slice(0, wanted.length - name.length)) ?? [];
  if (siblings.length > mostCompared) return undefined;
  // `line-2` is not a typo of `line-1`: the files of a series differ in their numbers.
  const others = siblings.filter((file) => withoutDigits(file) !== withoutDigits(wanted));
  const stems = others.map((file) => stemOf(nameOf(file)));
  const near = nearestName(stemOf(name), stems);
  return near === undefined ? undefined : others[stems.indexOf(near)];
}

/** Files by name, by path without extension (both in lower case), and by folder with its slash. */
type PathIndex = Record<'byName' | 'byStem' | 'byFolder', ReadonlyMap<string, readonly string[]>>;

/** Cached, because many names are looked up in a file list before it changes. */
const indexes = new WeakMap<readonly string[], PathIndex>();

function indexPaths(files: readonly string[]): PathIndex {
  const known = indexes.get(files);
  if (known) return known;
  const byName = new Map<string, string[]>();
  const byStem = new Map<string, string[]>();
  const byFolder = new Map<string, string[]>();
  const add = (map: Map<string, string[]>, key: string, file: string) => {
    const same = map.get(key);
    if (same) same.push(file);
    else map.set(key, [file]);
  };
  for (const file of files) {
    add(byName, nameOf(file.toLowerCase()), file);
    add(byStem, stemOf(file.toLowerCase()), file);
    add(byFolder, file.slice(0, file.length - nameOf(file).length), file);
  }
  const index = { byName, byStem, byFolder };
  indexes.set(files, index);
  return index;
}

const withoutDigits = (path: string): string => path.replace(/\d+/g, '#');

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const stemOf = (name: string): string => name.replace(/\.[^./]*$/, '');

/** Replaces a reference with one to another file; a leading slash, query and fragment are kept. */
export function replaceReference(context: RuleContext, span: Span, written: string, path: string): Fix {
  const url = path
    .replace(/%(?=[\da-f]{2})/gi, '%25')
    .replaceAll('#', '%23')
    .replaceAll('?', '%3F');
  const from = written.startsWith('/') ? `/${url}` : relativeTo(context.path, url);
  const suffix = /[?#].*$/s.exec(written)?.[0] ?? '';
  const replacement = encodeAttributeText(from + suffix, quoteAround(context.text, span));
  return fixInFile(context, `Change to "${from}"`, [{ span, text: replacement }]);
}

function relativeTo(file: string, path: string): string {
  const folder = file.split('/').slice(0, -1);
  const parts = path.split('/');
  let same = 0;
  while (same < folder.length && same < parts.length - 1 && folder[same] === parts[same]) same++;
  return [...folder.slice(same).map(() => '..'), ...parts.slice(same)].join('/');
}
