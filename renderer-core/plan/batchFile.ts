// Reads the rows of a batch with their spans: a JSON array, `{"rows": [...]}`, JSON lines, or CSV with a header.
import * as l10n from '@vscode/l10n';
import type { AttributeText } from '../model/attributeText.ts';
import { type JsonMember, type JsonNode, jsonMember, jsonValue, kindName, readJson } from '../model/jsonText.ts';
import type { Span } from '../model/spans.ts';
import type { ValueIssue } from '../model/valueIssue.ts';
import type { VariableDeclaration } from '../model/variables.ts';
import { readCsv } from './csv.ts';

export type BatchKind = 'json' | 'jsonl' | 'csv';

/**
 * A problem of a batch. `row` counts from 0, like `{index}`; null if the file itself is invalid, or if it is a problem of a
 * value for every row, which has an `issue` and no span.
 */
export type BatchProblem = {
  code: 'file' | 'duplicate' | 'placeholder' | 'collision' | 'outside' | 'variable' | 'output';
  severity: 'error' | 'warning';
  row: number | null;
  /** The JSON path of keys and indices; empty for the whole file. */
  path: (string | number)[];
  span: Span;
  message: string;
  issue?: ValueIssue;
};

/**
 * One row of the file. `spanOf` is the span of a key's value, `keySpanOf` that of the key (in CSV, of the column name); both
 * return the span of the row if it does not have the key.
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

/** The kind of a file by its extension; JSON if it is neither JSONL nor CSV. */
export function batchKind(name: string): BatchKind {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase();
  if (extension === 'jsonl' || extension === 'ndjson') return 'jsonl';
  return extension === 'csv' ? 'csv' : 'json';
}

/** Reads the rows. CSV cells are converted to the declared types; empty cells have no value. Never throws. */
export function readBatchRows(
  text: string,
  kind: BatchKind,
  declarations: readonly VariableDeclaration[] = [],
): BatchRows {
  if (kind === 'csv') return readCsvRows(text, declarations);
  return kind === 'jsonl' ? readJsonLines(text) : readJsonRows(text);
}

/** Rows from values. Spans refer to the values as JSON. */
export function rowsOfValues(values: readonly unknown[]): BatchRows {
  return readJsonRows(JSON.stringify(values, null, 1) ?? '');
}

const shape = () => l10n.t('a batch must be an array of objects, one per video, or {"rows": [...]}');

function readJsonRows(text: string): BatchRows {
  const { root, problem } = readWhole(text, 0, text.length);
  if (problem) return broken(problem.message, problem.span);
  const isWrapped = root?.kind === 'object';
  const list = isWrapped ? jsonMember(root, 'rows')?.value : root;
  const span = list?.span ?? root?.span ?? { start: 0, end: text.length };
  if (list?.kind !== 'array') {
    const found = isWrapped
      ? list
        ? l10n.t`"rows" is ${kindName(list)}`
        : l10n.t('This object has no "rows"')
      : l10n.t`This is ${root ? kindName(root) : 'nothing'}`;
    return broken(`${found}; ${shape()}`, span);
  }
  if (list.items.length === 0) return broken(l10n.t('The batch has no rows'), span);
  return collect(list.items.flatMap((node, index) => rowOf(node, index, isWrapped ? ['rows', index] : [index])));
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
  return rows === 0 ? broken(l10n.t('The batch has no rows'), { start: 0, end: text.length }) : collect(found);
}

function readCsvRows(text: string, declarations: readonly VariableDeclaration[]): BatchRows {
  const { records, problem } = readCsv(text);
  if (problem) return broken(problem.message, problem.span);
  const [header, ...lines] = records;
  if (!header)
    return broken(l10n.t('A CSV file must start with a header line that names the variables'), { start: 0, end: 0 });
  const problems = [...separatorProblems(header.cells, declarations), ...headerProblems(header.cells)];
  if (problems.length > 0) return { rows: [], problems };
  if (lines.length === 0) return broken(l10n.t('The batch has no rows'), header.span);
  const types = new Map(declarations.map(({ id, type }) => [id, type]));
  const columns = new Map(header.cells.map(({ text: key, span }) => [key, span]));
  return collect(
    lines.map(({ cells, span }, index): BatchRow | BatchProblem => {
      if (cells.length > header.cells.length) {
        const message = l10n.t`The row has more cells (${cells.length}) than the header (${header.cells.length})`;
        return { ...fileProblem(message, span), row: index, path: [index] };
      }
      const named = header.cells.flatMap(({ text: key }, column) => {
        const cell = cells[column];
        return cell && cell.text !== ''
          ? [{ key, span: cell.span, value: convertCell(cell.text, types.get(key)) }]
          : [];
      });
      const spans = new Map(named.map(({ key, span: cellSpan }) => [key, cellSpan]));
      const variables = Object.fromEntries(named.map(({ key, value }) => [key, value]));
      const spanOf = (key: string) => spans.get(key) ?? span;
      const keySpanOf = (key: string) => columns.get(key) ?? span;
      return { index, span, path: [index], variables, spanOf, keySpanOf };
    }),
  );
}

type Cell = { text: string; span: Span };

/** Spreadsheets of some countries separate cells by other characters. Each row would have one value that no variable uses. */
function separatorProblems([first, ...others]: readonly Cell[], declarations: readonly VariableDeclaration[]) {
  const separator = /[;\t]/.exec(first?.text ?? '')?.[0];
  if (!first || separator === undefined || others.length > 0) return [];
  const names = first.text.split(separator).map((name) => name.trim());
  if (!declarations.some(({ id }) => names.includes(id))) return [];
  const found = separator === ';' ? l10n.t('semicolons') : l10n.t('tabs');
  return [fileProblem(l10n.t`The cells must be separated by commas, but this file uses ${found}`, first.span)];
}

function headerProblems(cells: readonly Cell[]): BatchProblem[] {
  const seen = new Set<string>();
  return cells.flatMap(({ text, span }) => {
    const isRepeated = seen.has(text);
    seen.add(text);
    if (text === '') return [fileProblem(l10n.t('A column in the header has no name'), span)];
    return isRepeated ? [fileProblem(l10n.t`Duplicate column "${text}" in the header`, span)] : [];
  });
}

/** Converts a cell. Invalid numbers and booleans stay text, which the check of the values reports. */
function convertCell(text: string, type: VariableDeclaration['type'] | undefined): unknown {
  const trimmed = text.trim();
  if (type === 'number' && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed)) return Number(trimmed);
  if (type === 'boolean' && /^(?:true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
  return text;
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
    return [{ ...fileProblem(l10n.t`A row must be an object (got ${kindName(node)})`, node.span), row: index, path }];
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
    const message = l10n.t`"${key}" is given again later in the row; this value has no effect`;
    return { code: 'duplicate', severity: 'warning', row, path: [...path, key], span, message };
  });
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
