// Reads the rows of a batch with their spans: a JSON array, `{"rows": [...]}`, JSON lines, or CSV and TSV with a header.
import type { AttributeText } from '../model/text/attributeText.ts';
import { type JsonMember, type JsonNode, jsonMember, jsonValue, kindName, readJson } from '../model/text/jsonText.ts';
import type { Span } from '../model/text/spans.ts';
import type { VariableDeclaration } from '../model/variables/variables.ts';
import { type BatchProblem, type BatchRow, type BatchRows, broken, collectRows, fileProblem } from './batchRows.ts';
import { readCsvRows } from './csvRows.ts';

export type { BatchProblem, BatchRow, BatchRows } from './batchRows.ts';

export type BatchKind = 'json' | 'jsonl' | 'csv' | 'tsv';

/** Whether a file has a header and cells. */
export const hasCells = (kind: BatchKind): kind is 'csv' | 'tsv' => kind === 'csv' || kind === 'tsv';

/** The kind of a file by its extension; JSON if it is none of the others. */
export function batchKind(name: string): BatchKind {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase();
  if (extension === 'jsonl' || extension === 'ndjson') return 'jsonl';
  return extension === 'csv' || extension === 'tsv' ? extension : 'json';
}

/** Reads the rows. Cells are converted to the declared types; empty cells have no value. Never throws. */
export function readBatchRows(
  text: string,
  kind: BatchKind,
  declarations: readonly VariableDeclaration[] = [],
): BatchRows {
  if (hasCells(kind)) return readCsvRows(text, kind, declarations);
  return kind === 'jsonl' ? readJsonLines(text) : readJsonRows(text);
}

/** Rows from values. Spans refer to the values as JSON. */
export function rowsOfValues(values: readonly unknown[]): BatchRows {
  return readJsonRows(JSON.stringify(values, null, 1) ?? '');
}

const shape = 'a batch must be an array of objects, one per video, or {"rows": [...]}';

function readJsonRows(text: string): BatchRows {
  const { root, problem } = readWhole(text, 0, text.length);
  if (problem) return broken(problem.message, problem.span);
  const isWrapped = root?.kind === 'object';
  const list = isWrapped ? jsonMember(root, 'rows')?.value : root;
  const span = list?.span ?? root?.span ?? { start: 0, end: text.length };
  if (list?.kind !== 'array') {
    const found = isWrapped
      ? list
        ? `"rows" is ${kindName(list)}`
        : 'This object has no "rows"'
      : `This is ${root ? kindName(root) : 'nothing'}`;
    return broken(`${found}; ${shape}`, span);
  }
  if (list.items.length === 0) return broken('The batch has no rows', span);
  return collectRows(list.items.flatMap((node, index) => rowOf(node, index, isWrapped ? ['rows', index] : [index])));
}

function readJsonLines(text: string): BatchRows {
  const found: (BatchRow | BatchProblem)[] = [];
  let rows = 0;
  for (const { start, end } of linesOf(text)) {
    if (
      text
        .slice(start, end)
        .replace(/^\uFEFF/, '')
        .trim() === ''
    )
      continue;
    const { root, problem } = readWhole(text, start, end);
    const index = rows++;
    if (problem) found.push({ ...fileProblem(problem.message, problem.span), row: index, path: [index] });
    else if (root) found.push(...rowOf(root, index, [index]));
  }
  return rows === 0 ? broken('The batch has no rows', { start: 0, end: text.length }) : collectRows(found);
}

/** Skips a byte order mark. */
function readWhole(text: string, start: number, end: number) {
  const at = text.startsWith('\uFEFF', start) ? start + 1 : start;
  const source: AttributeText = { text: text.slice(at, end), span: { start: at, end }, quote: "'", steps: [0, at] };
  return readJson(source, { isFile: true });
}

/** The row, and a warning for each key that is given again. */
function rowOf(node: JsonNode, index: number, path: (string | number)[]): (BatchRow | BatchProblem)[] {
  if (node.kind !== 'object') {
    return [{ ...fileProblem(`A row must be an object (got ${kindName(node)})`, node.span), row: index, path }];
  }
  const variables = jsonValue(node) as Record<string, unknown>;
  const spanOf = (key: string): Span => jsonMember(node, key)?.value?.span ?? node.span;
  const keySpanOf = (key: string): Span => jsonMember(node, key)?.keySpan ?? node.span;
  return [{ index, span: node.span, path, variables, spanOf, keySpanOf }, ...duplicateKeys(node.members, index, path)];
}

function duplicateKeys(members: readonly JsonMember[], row: number, path: (string | number)[]): BatchProblem[] {
  const last = new Map(members.map((member) => [member.key, member]));
  if (last.size === members.length) return [];
  const overridden = members.filter((member) => last.get(member.key) !== member);
  return overridden.map(({ key, keySpan: span }) => {
    const message = `"${key}" is given again later in the row; this value has no effect`;
    return { code: 'duplicate', severity: 'warning', row, path: [...path, key], span, message };
  });
}

function* linesOf(text: string): Generator<Span> {
  for (const { index, 0: line } of text.matchAll(/[^\r\n]+/g)) yield { start: index, end: index + line.length };
}
