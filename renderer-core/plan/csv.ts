// Reads CSV (RFC 4180) with the span of every cell, because editors underline cells and common parsers only report lines.
import type { Span } from '../model/text/spans.ts';

export type CsvCell = { text: string; span: Span };
export type CsvRecord = { cells: CsvCell[]; span: Span };
export type CsvText = { separator: string; records: CsvRecord[]; problem: { message: string; span: Span } | undefined };

/**
 * Supports quotes (doubled inside quotes), `\n`, `\r\n` and `\r`. Skips empty lines. A first line `sep=;`, as Excel writes and
 * reads it, sets another separator. Never throws.
 */
export function readCsv(text: string, usual = ','): CsvText {
  const records: CsvRecord[] = [];
  const begin = text.startsWith('\uFEFF') ? 1 : 0;
  const declared = separatorLine.exec(text.slice(begin, begin + longestSeparatorLine));
  const separator = declared?.[1]?.replace('\\t', '\t') ?? usual;
  const endOfCell = new RegExp(`[${separator.replace(/[\\\]^-]/, '\\$&')}\\r\\n]`, 'g');
  let at = begin + (declared?.[0].length ?? 0);
  while (at < text.length) {
    const start = at;
    const cells: CsvCell[] = [];
    for (;;) {
      const cell = text[at] === '"' ? quotedCell(text, at, separator) : plainCell(text, at, endOfCell);
      if ('message' in cell) return { separator, records, problem: cell };
      cells.push(cell);
      at = cell.span.end;
      if (text[at] !== separator) break;
      at++;
    }
    const isEmpty = cells.length === 1 && at === start;
    if (!isEmpty) records.push({ cells, span: { start, end: at } });
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  return { separator, records, problem: undefined };
}

/** Programs that do not know this line treat it as a row: they quote it, or fill it with separators. */
const separatorLine = /^"?sep=(\\t|[^"\r\n])\1*"?\1*(?:\r\n|\r|\n|$)/i;
const longestSeparatorLine = 1000;

function plainCell(text: string, start: number, endOfCell: RegExp): CsvCell {
  endOfCell.lastIndex = start;
  const end = endOfCell.exec(text)?.index ?? text.length;
  return { text: text.slice(start, end), span: { start, end } };
}

function quotedCell(text: string, start: number, separator: string): CsvCell | { message: string; span: Span } {
  let content = '';
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return { message: 'The closing quote of this cell is missing', span: { start, end: start + 1 } };
    content += text.slice(at, quote);
    if (text[quote + 1] === '"') {
      content += '"';
      at = quote + 2;
      continue;
    }
    const end = quote + 1;
    const after = text[end];
    if (after === undefined || after === separator || /[\r\n]/.test(after))
      return { text: content, span: { start, end } };
    const message = `Expected ${separatorName(separator)} or the end of the line after the closing quote; write a quote inside a cell as ""`;
    return { message, span: { start: end, end: end + 1 } };
  }
}

const separatorName = (separator: string): string =>
  ({ ',': 'a comma', ';': 'a semicolon', '\t': 'a tab' })[separator] ?? `"${separator}"`;

/** The separator of a file without a line `sep=`. */
export const usualSeparator = { csv: ',', tsv: '\t' } as const;

/**
 * A file with a header. `rows` and `columns` are those that are not empty: `columns` has the positions of the cells, `named`
 * their names. `skipped` are the rows and columns of empty cells, which spreadsheets write for cells that once had content.
 */
export type CsvTable = {
  separator: string;
  header: CsvRecord | undefined;
  rows: CsvRecord[];
  columns: { position: number; name: string }[];
  skipped: { rows: CsvRecord[]; columns: number[] };
  problem: CsvText['problem'];
};

export function readCsvTable(text: string, usual = ','): CsvTable {
  const { separator, records, problem } = readCsv(text, usual);
  const isEmpty = ({ cells }: CsvRecord) => cells.every(isEmptyCell);
  const [header, ...rows] = records.filter((record) => !isEmpty(record));
  const names = header?.cells.map((cell) => cell.text.trim()) ?? [];
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), names.length);
  const positions = Array.from({ length: header ? width : 0 }, (_, position) => position);
  const isUnused = (position: number) =>
    (names[position] ?? '') === '' && rows.every(({ cells }) => isEmptyCell(cells[position]));
  const unused = new Set(positions.filter(isUnused));
  const columns = names.map((name, position) => ({ position, name })).filter(({ position }) => !unused.has(position));
  return {
    separator,
    header,
    rows,
    columns,
    skipped: { rows: records.filter(isEmpty), columns: [...unused] },
    problem,
  };
}

/** Spaces are not content: a spreadsheet does not show them. */
export const isEmptyCell = (cell: CsvCell | undefined): boolean => cell === undefined || cell.text.trim() === '';
