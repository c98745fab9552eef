// References to files of the project, as fixes write them: the nearest file to a wrong path, and the way to it.
import type { Span } from '../model/spans.ts';
import { nearestName } from '../model/suggest.ts';
import { encodeAttributeText, quoteAround } from './attributeEdits.ts';
import { fixHere, type RuleContext } from './context.ts';
import type { Fix } from './finding.ts';

/** More files than this are not compared letter by letter. */
const mostCompared = 5000;

/** The existing file that a path most likely means: the same name elsewhere, other letter case or ending, a near name. */
export function nearestPath(wanted: string, files: readonly string[]): string | undefined {
  const lower = wanted.toLowerCase();
  const name = nameOf(lower);
  const sameName = files.filter((file) => nameOf(file.toLowerCase()) === name);
  const exact = sameName.find((file) => file.toLowerCase() === lower);
  if (exact !== undefined || sameName.length === 1) return exact ?? sameName[0];
  if (files.length > mostCompared) return undefined;
  const folder = wanted.slice(0, wanted.length - name.length);
  const beside = files.filter((file) => file.startsWith(folder) && !file.slice(folder.length).includes('/'));
  const sameStem = beside.filter((file) => stemOf(nameOf(file.toLowerCase())) === stemOf(name));
  if (sameStem.length === 1) return sameStem[0];
  // `line-2` is no misspelling of `line-1`: the files of a series differ in their numbers.
  const isOther = (file: string) => withoutDigits(file) === withoutDigits(wanted);
  const names = beside.filter((file) => !isOther(file)).map((file) => nameOf(file));
  const near = nearestName(name, names);
  if (near !== undefined) return `${folder}${near}`;
  return nearestName(
    wanted,
    files.filter((file) => !isOther(file)),
  );
}

const withoutDigits = (path: string): string => path.replace(/\d+/g, '#');

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const stemOf = (name: string): string => name.replace(/\.[^.]*$/, '');

/** Puts the reference to another file in the place of one; a leading slash, query and fragment stay. */
export function replaceReference(context: RuleContext, span: Span, written: string, path: string): Fix {
  const url = path
    .replace(/%(?=[\da-f]{2})/gi, '%25')
    .replaceAll('#', '%23')
    .replaceAll('?', '%3F');
  const from = written.startsWith('/') ? `/${url}` : relativeTo(context.path, url);
  const behind = /[?#].*$/s.exec(written)?.[0] ?? '';
  const replacement = encodeAttributeText(from + behind, quoteAround(context.text, span));
  return fixHere(context, `Change to "${from}"`, [{ span, text: replacement }]);
}

function relativeTo(file: string, path: string): string {
  const folder = file.split('/').slice(0, -1);
  const parts = path.split('/');
  let same = 0;
  while (same < folder.length && same < parts.length - 1 && folder[same] === parts[same]) same++;
  return [...folder.slice(same).map(() => '..'), ...parts.slice(same)].join('/');
}
