// Decides which files are batch files and which composition they belong to, by the project's manifest or by file name.
import { jsonMember, readJson } from '../../../renderer-core/model/text/jsonText.ts';
import type { Span } from '../../../renderer-core/model/text/spans.ts';
import { type BatchKind, hasCells } from '../../../renderer-core/plan/batchFile.ts';

/** `composition`: a path in the project. `isInManifest`: the manifest lists the file, so neither its name nor its content matters. */
export type BatchTarget = { composition: string; isInManifest: boolean };

const batchName = /(?:^|[./])(?:rows|batch)\.(?:jsonl?|[ct]sv)$/i;

/** Whether a document can be a batch file, judging by its extension. */
export function isDataFile(uri: string): boolean {
  return /\.(?:jsonl?|[ct]sv)$/i.test(uri) && !/\/framework\.json$/i.test(uri);
}

/** Matches `rows.json`, `cards.rows.jsonl`, `batch.csv` and the like. */
export function hasBatchName(path: string): boolean {
  return batchName.test(path);
}

/**
 * The composition of a data file. The manifest decides (`{"batches": {"people.json": "card.html"}}`), otherwise the
 * composition whose name starts the file's name, otherwise the entry. Undefined if the file is not a batch. Never throws.
 */
export function batchTarget(
  path: string,
  manifest: string | null,
  compositions: readonly string[],
): BatchTarget | undefined {
  const named = manifest === null ? undefined : manifestBatches(manifest).files.get(path);
  if (named !== undefined) return { composition: named, isInManifest: true };
  if (!hasBatchName(path)) return undefined;
  const composition = byName(path, compositions) ?? compositions.find((one) => one === 'index.html');
  return composition === undefined ? undefined : { composition, isInManifest: false };
}

/** The batch files of a composition, by their names and by the manifest. `paths`: all files of the project. */
export function batchFilesOf(
  composition: string,
  manifest: string | null,
  compositions: readonly string[],
  paths: readonly string[],
): string[] {
  return paths.filter(
    (path) => isDataFile(path) && batchTarget(path, manifest, compositions)?.composition === composition,
  );
}

/** The composition of each batch file that a manifest lists, by path, and the problems in that list. */
export type ManifestBatches = {
  files: ReadonlyMap<string, string>;
  problems: readonly { message: string; span: Span }[];
};

/** A manifest that is not JSON has no entries here; the reader of the other settings reports the error. */
export function manifestBatches(manifest: string): ManifestBatches {
  const files = new Map<string, string>();
  const problems: { message: string; span: Span }[] = [];
  const start = manifest.startsWith('\uFEFF') ? 1 : 0;
  const text = manifest.slice(start);
  if (!text.includes('"batches"')) return { files, problems };
  const { root } = readJson({ text, span: { start, end: manifest.length }, quote: "'", steps: [0, start] });
  const batches = root && jsonMember(root, 'batches')?.value;
  const example = '{"people.json": "card.html"}';
  if (batches && batches.kind !== 'object')
    problems.push({
      message: `"batches" must be an object that maps batch files to compositions, for example ${example}`,
      span: batches.span,
    });
  for (const { key, value } of batches?.kind === 'object' ? batches.members : []) {
    if (value?.kind === 'string') files.set(plainPath(key), plainPath(value.value));
    else if (value)
      problems.push({
        message: `The composition of "${key}" must be a path, for example ${example}`,
        span: value.span,
      });
  }
  return { files, problems };
}

const plainPath = (path: string): string => path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Prefers the longest matching name, then a composition in the same folder, then the one with the shortest path. */
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

/** Whether a text can be (the start of) rows. Checked only for files that are batches by name alone. */
export function looksLikeRows(text: string, kind: BatchKind): boolean {
  const start = text.search(/[^\s\uFEFF]/);
  if (hasCells(kind) || start < 0) return true;
  if (kind === 'jsonl') return text[start] === '{';
  if (text[start] === '{') return !text.includes(':') || /"rows"\s*:/.test(text);
  return /^\[\s*(?:[{\]]|$)/.test(text.slice(start, start + 1000));
}
