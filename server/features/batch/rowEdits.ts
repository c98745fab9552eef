// Edits the rows of a batch file: a value, or whole rows. Everything else in the text stays as it is.

import { type JsonNode, jsonMember, readJson } from '../../../renderer-core/model/text/jsonText.ts';
import type { Span } from '../../../renderer-core/model/text/spans.ts';
import type { VariableDeclaration } from '../../../renderer-core/model/variables/variables.ts';
import { type BatchKind, hasCells } from '../../../renderer-core/plan/batchFile.ts';
import {
  type CsvRecord,
  type CsvTable,
  isEmptyCell,
  readCsvTable,
  usualSeparator,
} from '../../../renderer-core/plan/csv.ts';
import type { RowChange } from '../../protocol.ts';

export type SpanEdit = { span: Span; newText: string };

/**
 * Undefined if the text is invalid, or if a row does not exist. A row of empty cells would be skipped, so a new one gets the
 * default of one of the `declarations`. Never throws.
 */
export function rowEdits(
  text: string,
  kind: BatchKind,
  change: RowChange,
  declarations: readonly VariableDeclaration[] = [],
): SpanEdit[] | undefined {
  if (hasCells(kind)) return csvEdits(text, readCsvTable(text, usualSeparator[kind]), change, declarations);
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

function csvEdits(
  text: string,
  table: CsvTable,
  change: RowChange,
  declarations: readonly VariableDeclaration[],
): SpanEdit[] | undefined {
  const { header, rows, problem } = table;
  if (problem || !header) return undefined;
  const filler = fillerOf(table, declarations);
  if (change.kind === 'set') return setCell(table, header, change, filler);
  const added = header.cells
    .map((_, position) => (position === filler.position ? cellText(filler.value, table) : ''))
    .join(table.separator);
  if (change.kind === 'add' && rows.length === 0) return [insertion(header.span.end, eolOf(text) + added)];
  return lineChange(
    text,
    rows.map(({ span }) => span),
    change,
    added,
  );
}

/** A cell with content, without which a row would be skipped: the first default, which changes nothing. */
type Filler = { position: number; value: unknown };

function fillerOf({ columns }: CsvTable, declarations: readonly VariableDeclaration[]): Filler {
  const defaults = new Map(declarations.map((declaration) => [declaration.id, declaration.default]));
  const found = columns.find(({ name }) => `${defaults.get(name) ?? ''}`.trim() !== '');
  return found
    ? { position: found.position, value: defaults.get(found.name) }
    : { position: columns[0]?.position ?? 0, value: '?' };
}

function setCell(
  table: CsvTable,
  header: CsvRecord,
  { row: index, key, value }: Extract<RowChange, { kind: 'set' }>,
  filler: Filler,
): SpanEdit[] | undefined {
  const { columns, separator } = table;
  const row = table.rows[index];
  if (!row) return undefined;
  const known = columns.find(({ name }) => name === key)?.position;
  const column = known ?? header.cells.length;
  const newText = cellText(value, table);
  if (newText === '' && row.cells.every((cell, position) => position === column || isEmptyCell(cell)))
    return filledCell(row, column, table, filler);
  const added = setText(row, column, newText, separator);
  return known === undefined && newText !== ''
    ? [insertion(header.span.end, separator + cellText(key, table)), ...added]
    : added;
}

/** Clears the only cell with content, and fills another one if it has no default. */
function filledCell(row: CsvRecord, column: number, table: CsvTable, { position, value }: Filler): SpanEdit[] {
  const filled = setText(row, position, cellText(value, table), table.separator);
  return position === column ? filled : [...setText(row, column, '', table.separator), ...filled];
}

function setText(row: CsvRecord, column: number, newText: string, separator: string): SpanEdit[] {
  const cell = row.cells[column];
  if (cell) return [{ span: cell.span, newText }];
  if (newText === '') return [];
  return [insertion(row.span.end, separator.repeat(column - row.cells.length + 1) + newText)];
}

function cellText(value: unknown, { separator }: CsvTable): string {
  const text =
    value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : `${value}`;
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
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
