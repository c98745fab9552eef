// Reads the rows of a batch: a JSON array, `{"rows": [...]}`, one JSON object a line, or CSV with a header; with places.
import type { AttributeText } from '../model/attributeText.ts';
import { type JsonNode, jsonMember, jsonValue, readJson } from '../model/jsonText.ts';
import type { Span } from '../model/spans.ts';
import type { VariableDeclaration } from '../model/variables.ts';
import { readCsv } from './csv.ts';

export type BatchKind = 'json' | 'jsonl' | 'csv';

/** Something wrong in a batch. `row` counts from 0, as `{index}` does; null where the file itself is broken. */
export type BatchProblem = {
  code: 'file' | 'placeholder' | 'collision' | 'outside' | 'variable' | 'output';
  severity: 'error' | 'warning';
  row: number | null;
  /** Keys and indices that lead to it in the JSON; empty for the whole file. */
  path: (string | number)[];
  span: Span;
  message: string;
};

/**
 * One row as it was written. `spanOf` covers the value of a key, `keySpanOf` the key (of a CSV the name of the column); both
 * cover the row where it has no such key.
 */
export type BatchRow = {
  index: number;
  span: Span;
  path: (string | number)[];
  variables: Record<string, unknown>;
  spanOf(key: string): Span;
  keySpanOf(key: string): Span;
};

export type BatchRows = { rows: BatchRow[]; problems: BatchProblem[] };

/** By the extension of its name; whatever is neither JSONL nor CSV is JSON. */
export function batchKind(name: string): BatchKind {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase();
  if (extension === 'jsonl' || extension === 'ndjson') return 'jsonl';
  return extension === 'csv' ? 'csv' : 'json';
}

/** Never throws. Cells of a CSV become what `declarations` ask for; an empty one is not given. */
export function readBatchRows(
  text: string,
  kind: BatchKind,
  declarations: readonly VariableDeclaration[] = [],
): BatchRows {
  if (kind === 'csv') return readCsvRows(text, declarations);
  return kind === 'jsonl' ? readJsonLines(text) : readJsonRows(text);
}

/** Rows that are values already. Places are those in the JSON that they would be. */
export function rowsOfValues(values: readonly unknown[]): BatchRows {
  return readJsonRows(JSON.stringify(values, null, 1) ?? '');
}

const shape = 'a batch is an array of objects, one for each video, or {"rows": [...]}';

function readJsonRows(text: string): BatchRows {
  const { root, problem } = readWhole(text, 0, text.length);
  if (problem) return broken(problem.message, problem.span);
  const isWrapped = root?.kind === 'object';
  const list = isWrapped ? jsonMember(root, 'rows')?.value : root;
  const span = list?.span ?? root?.span ?? { start: 0, end: text.length };
  if (list?.kind !== 'array') {
    const found = isWrapped
      ? list
        ? `"rows" is ${kindOf(list)}`
        : 'This object has no "rows"'
      : `This is ${root ? kindOf(root) : 'nothing'}`;
    return broken(`${found}; ${shape}`, span);
  }
  if (list.items.length === 0) return broken('The batch has no rows', span);
  return collect(list.items.map((node, index) => rowOf(node, index, isWrapped ? ['rows', index] : [index])));
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
    else if (root) found.push(rowOf(root, index, [index]));
  }
  return rows === 0 ? broken('The batch has no rows', { start: 0, end: text.length }) : collect(found);
}

function readCsvRows(text: string, declarations: readonly VariableDeclaration[]): BatchRows {
  const { records, problem } = readCsv(text);
  if (problem) return broken(problem.message, problem.span);
  const [header, ...lines] = records;
  if (!header) return broken('The first line of a CSV names the variables, and there is none', { start: 0, end: 0 });
  const problems = headerProblems(header.cells);
  if (problems.length > 0) return { rows: [], problems };
  if (lines.length === 0) return broken('The batch has no rows', header.span);
  const types = new Map(declarations.map(({ id, type }) => [id, type]));
  const columns = new Map(header.cells.map(({ text: key, span }) => [key, span]));
  return collect(
    lines.map(({ cells, span }, index): BatchRow | BatchProblem => {
      if (cells.length > header.cells.length) {
        const message = `The row has ${cells.length} cells, and the header names ${header.cells.length}`;
        return { ...fileProblem(message, span), row: index, path: [index] };
      }
      const named = header.cells.flatMap(({ text: key }, column) => {
        const cell = cells[column];
        return cell && cell.text !== '' ? [{ key, span: cell.span, value: typed(cell.text, types.get(key)) }] : [];
      });
      const places = new Map(named.map(({ key, span: place }) => [key, place]));
      const variables = Object.fromEntries(named.map(({ key, value }) => [key, value]));
      const spanOf = (key: string) => places.get(key) ?? span;
      const keySpanOf = (key: string) => columns.get(key) ?? span;
      return { index, span, path: [index], variables, spanOf, keySpanOf };
    }),
  );
}

type Cell = { text: string; span: Span };

function headerProblems(cells: readonly Cell[]): BatchProblem[] {
  const seen = new Set<string>();
  return cells.flatMap(({ text, span }) => {
    const isRepeated = seen.has(text);
    seen.add(text);
    if (text === '') return [fileProblem('A column of the header has no name', span)];
    return isRepeated ? [fileProblem(`The header names "${text}" twice`, span)] : [];
  });
}

/** What is no number or boolean stays text: the check of the values says so. */
function typed(text: string, type: VariableDeclaration['type'] | undefined): unknown {
  const trimmed = text.trim();
  if (type === 'number' && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed)) return Number(trimmed);
  if (type === 'boolean' && /^(?:true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
  return text;
}

/** A byte order mark counts as white space in front. */
function readWhole(text: string, start: number, end: number) {
  const at = text.startsWith('\uFEFF', start) ? start + 1 : start;
  const source: AttributeText = { text: text.slice(at, end), span: { start: at, end }, quote: "'", steps: [0, at] };
  const { root, problem } = readJson(source);
  if (!problem) return { root, problem };
  // Its only advice of its own is about apostrophes in attributes.
  return { root, problem: { ...problem, message: problem.message.replace(/; write an apostrophe .*$/, '') } };
}

function rowOf(node: JsonNode, index: number, path: (string | number)[]): BatchRow | BatchProblem {
  if (node.kind !== 'object') {
    return { ...fileProblem(`The row is ${kindOf(node)}, not an object`, node.span), row: index, path };
  }
  const variables = jsonValue(node) as Record<string, unknown>;
  const spanOf = (key: string): Span => jsonMember(node, key)?.value?.span ?? node.span;
  const keySpanOf = (key: string): Span => jsonMember(node, key)?.keySpan ?? node.span;
  return { index, span: node.span, path, variables, spanOf, keySpanOf };
}

function kindOf(node: JsonNode): string {
  if (node.kind === 'null') return 'null';
  return `${node.kind === 'array' || node.kind === 'object' ? 'an' : 'a'} ${node.kind}`;
}

function* linesOf(text: string): Generator<Span> {
  for (const { index, 0: line } of text.matchAll(/[^\r\n]+/g)) yield { start: index, end: index + line.length };
}

function collect(found: readonly (BatchRow | BatchProblem)[]): BatchRows {
  return {
    rows: found.filter((one): one is BatchRow => 'variables' in one),
    problems: found.filter((one): one is BatchProblem => 'severity' in one),
  };
}

const broken = (message: string, span: Span): BatchRows => ({ rows: [], problems: [fileProblem(message, span)] });

function fileProblem(message: string, span: Span): BatchProblem {
  return { code: 'file', severity: 'error', row: null, path: [], span, message };
}
