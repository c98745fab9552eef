// Edits the rows of a batch file: a value, or whole rows. Everything else in the text stays as it is.
import { type JsonNode, jsonMember, readJson } from '../../../renderer-core/model/jsonText.ts';
import type { Span } from '../../../renderer-core/model/spans.ts';
import type { BatchKind } from '../../../renderer-core/plan/batchFile.ts';
import { type CsvRecord, readCsv } from '../../../renderer-core/plan/csv.ts';

/** Rows count from 0. Without a `value`, the row has no value of its own afterwards. */
export type RowChange =
  | { kind: 'set'; row: number; key: string; value?: unknown }
  | { kind: 'add' }
  | { kind: 'duplicate'; row: number }
  | { kind: 'remove'; rows: readonly number[] };

export type SpanEdit = { span: Span; newText: string };

/** Undefined if the text is invalid, or if a row does not exist. Never throws. */
export function rowEdits(text: string, kind: BatchKind, change: RowChange): SpanEdit[] | undefined {
  if (kind === 'csv') return csvEdits(text, change);
  return kind === 'jsonl' ? lineEdits(text, change) : jsonEdits(text, change);
}

function jsonEdits(text: string, change: RowChange): SpanEdit[] | undefined {
  if (text.replace('\uFEFF', '').trim() === '' && change.kind === 'add')
    return [{ span: { start: text.length, end: text.length }, newText: '[\n  {}\n]\n' }];
  const root = parse(text, { start: 0, end: text.length });
  const list = root?.kind === 'object' ? jsonMember(root, 'rows')?.value : root;
  if (list?.kind !== 'array') return undefined;
  const { items } = list;
  if (change.kind === 'set') {
    const item = items[change.row];
    return item && setMember(text, item, change.key, change.value);
  }
  const spans = items.map(({ span }) => span);
  if (change.kind === 'remove') return removeSpans(spans, change.rows);
  if (spans.length === 0) return change.kind === 'add' ? [{ span: list.span, newText: '[\n  {}\n]' }] : undefined;
  const after = change.kind === 'add' ? spans.length - 1 : change.row;
  const span = spans[after];
  if (!span) return undefined;
  const added = change.kind === 'add' ? '{}' : text.slice(span.start, span.end);
  return [insertion(span.end, separator(text, spans, list.span.start + 1, after) + added)];
}

function lineEdits(text: string, change: RowChange): SpanEdit[] | undefined {
  const lines = [...text.matchAll(/[^\r\n]+/g)]
    .map(({ index, 0: line }) => ({ start: text[index] === '\uFEFF' ? index + 1 : index, end: index + line.length }))
    .filter(({ start, end }) => text.slice(start, end).trim() !== '');
  if (change.kind !== 'set') return lineChange(text, lines, change, '{}');
  const line = lines[change.row];
  const item = line && parse(text, line);
  return item && setMember(text, item, change.key, change.value);
}

function csvEdits(text: string, change: RowChange): SpanEdit[] | undefined {
  const { records, problem } = readCsv(text);
  const [header, ...rows] = records;
  if (problem || !header) return undefined;
  if (change.kind === 'set') return setCell(header, rows[change.row], change);
  const empty = header.cells.length === 1 ? '""' : ','.repeat(header.cells.length - 1);
  if (change.kind === 'add' && rows.length === 0) return [insertion(header.span.end, eolOf(text) + empty)];
  return lineChange(
    text,
    rows.map(({ span }) => span),
    change,
    empty,
  );
}

function setCell(
  header: CsvRecord,
  row: CsvRecord | undefined,
  { key, value }: Extract<RowChange, { kind: 'set' }>,
): SpanEdit[] | undefined {
  if (!row) return undefined;
  const known = header.cells.findIndex(({ text }) => text === key);
  const column = known < 0 ? header.cells.length : known;
  const cell = row.cells[column];
  const isOnly = column === 0 && row.cells.length === 1;
  const newText = cellText(value, isOnly);
  if (cell) return [{ span: cell.span, newText }];
  if (newText === '') return [];
  const added = insertion(row.span.end, ','.repeat(column - row.cells.length + 1) + newText);
  return known < 0 ? [insertion(header.span.end, `,${cellText(key, false)}`), added] : [added];
}

/** `isOnly`: an empty line would not be a row. */
function cellText(value: unknown, isOnly: boolean): string {
  const text =
    value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : `${value}`;
  return /[",\r\n]/.test(text) || (isOnly && text === '') ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Adds, duplicates or removes rows that are lines. */
function lineChange(
  text: string,
  lines: readonly Span[],
  change: Exclude<RowChange, { kind: 'set' }>,
  empty: string,
): SpanEdit[] | undefined {
  if (change.kind === 'remove') {
    if (change.rows.some((row) => !lines[row])) return undefined;
    return change.rows.map((row) => ({ span: wholeLine(text, lines[row] as Span), newText: '' }));
  }
  const line = change.kind === 'add' ? lines.at(-1) : lines[change.row];
  if (change.kind === 'add' && !line) return [insertion(text.length, empty + eolOf(text))];
  if (!line) return undefined;
  return [insertion(line.end, eolOf(text) + (change.kind === 'add' ? empty : text.slice(line.start, line.end)))];
}

/** The line with its line break. The last line of a text without a final break takes the break before it. */
function wholeLine(text: string, { start, end }: Span): Span {
  const after = /^(?:\r\n|\r|\n)/.exec(text.slice(end, end + 2))?.[0].length ?? 0;
  if (after > 0) return { start, end: end + after };
  const before = /(?:\r\n|\r|\n)$/.exec(text.slice(Math.max(0, start - 2), start))?.[0].length ?? 0;
  return { start: start - before, end };
}

const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
const insertion = (at: number, newText: string): SpanEdit => ({ span: { start: at, end: at }, newText });

function parse(text: string, { start, end }: Span): JsonNode | undefined {
  const at = text.startsWith('\uFEFF', start) ? start + 1 : start;
  const source = { text: text.slice(at, end), span: { start: at, end }, quote: "'" as const, steps: [0, at] };
  const { root, problem } = readJson(source, { isFile: true });
  return problem ? undefined : root;
}

function setMember(text: string, node: JsonNode, key: string, value: unknown): SpanEdit[] | undefined {
  if (node.kind !== 'object') return undefined;
  const { members } = node;
  const found = jsonMember(node, key);
  const newText = JSON.stringify(value);
  if (newText === undefined) {
    // An earlier member with the same key would become the value.
    const own = members.flatMap((member, at) => (member.key === key ? [at] : []));
    return removeSpans(
      members.map(({ span }) => span),
      own,
    );
  }
  if (found?.value) return [{ span: found.value.span, newText }];
  const last = members.at(-1);
  if (!last) return [{ span: node.span, newText: `{ ${JSON.stringify(key)}: ${newText} }` }];
  const colon = text.slice(last.keySpan.end, last.value?.span.start ?? last.keySpan.end) || ': ';
  const spans = members.map(({ span }) => span);
  const before = separator(text, spans, node.span.start + 1, spans.length - 1);
  return [insertion(last.span.end, `${before}${JSON.stringify(key)}${colon}${newText}`)];
}

/** What separates the item at `index` from its neighbor; `inside` is the offset after the opening bracket. */
function separator(text: string, spans: readonly Span[], inside: number, index: number): string {
  const [first, second] = index > 0 ? [spans[index - 1], spans[index]] : [spans[0], spans[1]];
  if (first && second) return text.slice(first.end, second.start);
  const space = text.slice(inside, first?.start ?? inside);
  return space.includes('\n') ? `,${space}` : ', ';
}

/** Removes items of a list with their commas. */
function removeSpans(spans: readonly Span[], removed: readonly number[]): SpanEdit[] | undefined {
  if (removed.some((at) => !spans[at])) return undefined;
  const gone = new Set(removed);
  const firstKept = spans.findIndex((_, at) => !gone.has(at));
  const [first, last] = [spans[0], spans.at(-1)];
  if (gone.size === 0 || !first || !last) return [];
  if (firstKept < 0) return [{ span: { start: first.start, end: last.end }, newText: '' }];
  const leading =
    firstKept === 0 ? [] : [{ span: { start: first.start, end: (spans[firstKept] as Span).start }, newText: '' }];
  const rest = spans.flatMap(({ end }, at) =>
    at > firstKept && gone.has(at) ? [{ span: { start: (spans[at - 1] as Span).end, end }, newText: '' }] : [],
  );
  return [...leading, ...rest];
}
