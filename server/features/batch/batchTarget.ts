// Which files are batches, and of which composition: the project's manifest says so, or else their names.
import { jsonMember, readJson } from '../../renderer-core/model/jsonText.ts';
import type { Span } from '../../renderer-core/model/spans.ts';
import type { BatchKind } from '../../renderer-core/plan/batchFile.ts';

/** `composition` is a path of the project. `isNamed`: the manifest says so, whatever the file is called or holds. */
export type BatchTarget = { composition: string; isNamed: boolean };

const batchName = /(?:^|[./])(?:rows|batch)\.(?:jsonl?|csv)$/i;

/** Whether a document may be a batch by the kind of its file; no composition and no manifest is one. */
export function isDataFile(uri: string): boolean {
  return /\.(?:jsonl?|csv)$/i.test(uri) && !/\/framework\.json$/i.test(uri);
}

/** `rows.json`, `cards.rows.jsonl`, `batch.csv` and the like. */
export function hasBatchName(path: string): boolean {
  return batchName.test(path);
}

/**
 * What a data file of a project belongs to: what `{"batches": {"people.json": "card.html"}}` in the manifest says, else by
 * its name a composition that the name begins with, else the entry. Undefined for a file that is no batch. Never throws.
 */
export function batchTarget(
  path: string,
  manifest: string | null,
  compositions: readonly string[],
): BatchTarget | undefined {
  const named = manifest === null ? undefined : namedBatches(manifest).files.get(path);
  if (named !== undefined) return { composition: named, isNamed: true };
  if (!hasBatchName(path)) return undefined;
  const composition = byName(path, compositions) ?? compositions.find((one) => one === 'index.html');
  return composition === undefined ? undefined : { composition, isNamed: false };
}

/** What a manifest says of batches: the composition of each file, by path, and what cannot be meant. */
export type NamedBatches = { files: ReadonlyMap<string, string>; problems: readonly { message: string; span: Span }[] };

/** Text that is no JSON names nothing; what is wrong with it the reader of the other settings says. */
export function namedBatches(manifest: string): NamedBatches {
  const files = new Map<string, string>();
  const problems: { message: string; span: Span }[] = [];
  const start = manifest.startsWith('\uFEFF') ? 1 : 0;
  const text = manifest.slice(start);
  if (!text.includes('"batches"')) return { files, problems };
  const { root } = readJson({ text, span: { start, end: manifest.length }, quote: "'", steps: [0, start] });
  const batches = root && jsonMember(root, 'batches')?.value;
  const example = '{"people.json": "card.html"}';
  if (batches && batches.kind !== 'object')
    problems.push({ message: `"batches" must say which composition a file is for: ${example}`, span: batches.span });
  for (const { key, value } of batches?.kind === 'object' ? batches.members : []) {
    if (value?.kind === 'string') files.set(plainPath(key), plainPath(value.value));
    else if (value)
      problems.push({ message: `The composition of "${key}" must be a path: ${example}`, span: value.span });
  }
  return { files, problems };
}

const plainPath = (path: string): string => path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The longest name that the file's begins with; of equal ones that beside the file, then that nearest to the top. */
function byName(path: string, compositions: readonly string[]): string | undefined {
  const name = nameOf(path).toLowerCase();
  const stemOf = (composition: string) =>
    nameOf(composition)
      .replace(/\.html?$/i, '')
      .toLowerCase();
  const rank = (composition: string) => [
    -stemOf(composition).length,
    folderOf(composition) === folderOf(path) ? 0 : 1,
    composition.split('/').length,
  ];
  return compositions
    .filter((one) => name.startsWith(stemOf(one)) && /^[._-]/.test(name.slice(stemOf(one).length)))
    .sort((one, other) => firstDifference(rank(one), rank(other)))[0];
}

function firstDifference(one: readonly number[], other: readonly number[]): number {
  return one.map((value, index) => value - (other[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** Whether a text may be rows, or the beginning of some: the one look that a file gets that only its name makes a batch. */
export function looksLikeRows(text: string, kind: BatchKind): boolean {
  const start = text.search(/[^\s\uFEFF]/);
  if (kind === 'csv' || start < 0) return true;
  if (kind === 'jsonl') return text[start] === '{';
  if (text[start] === '{') return !text.includes(':') || /"rows"\s*:/.test(text);
  return /^\[\s*(?:[{\]]|$)/.test(text.slice(start, start + 1000));
}
