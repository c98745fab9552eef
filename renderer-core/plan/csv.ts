// Reads CSV (RFC 4180) with the span of every cell, because editors underline cells and common parsers only report lines.
import * as l10n from '@vscode/l10n';
import type { Span } from '../model/spans.ts';

export type CsvCell = { text: string; span: Span };
export type CsvRecord = { cells: CsvCell[]; span: Span };
export type CsvText = { records: CsvRecord[]; problem: { message: string; span: Span } | undefined };

/** Supports commas, quotes (doubled inside quotes), `\n`, `\r\n` and `\r`. Skips empty lines. Never throws. */
export function readCsv(text: string): CsvText {
  const records: CsvRecord[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    const start = at;
    const cells: CsvCell[] = [];
    for (;;) {
      const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at);
      if ('message' in cell) return { records, problem: cell };
      cells.push(cell);
      at = cell.span.end;
      if (text[at] !== ',') break;
      at++;
    }
    const isEmpty = cells.length === 1 && at === start;
    if (!isEmpty) records.push({ cells, span: { start, end: at } });
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  return { records, problem: undefined };
}

function plainCell(text: string, start: number): CsvCell {
  const ends = /[,\r\n]/g;
  ends.lastIndex = start;
  const end = ends.exec(text)?.index ?? text.length;
  return { text: text.slice(start, end), span: { start, end } };
}

function quotedCell(text: string, start: number): CsvCell | { message: string; span: Span } {
  let content = '';
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1)
      return { message: l10n.t('The closing quote of this cell is missing'), span: { start, end: start + 1 } };
    content += text.slice(at, quote);
    if (text[quote + 1] === '"') {
      content += '"';
      at = quote + 2;
      continue;
    }
    const end = quote + 1;
    const after = text[end];
    if (after === undefined || /[,\r\n]/.test(after)) return { text: content, span: { start, end } };
    const message = l10n.t(
      'Expected a comma or the end of the line after the closing quote; write a quote inside a cell as ""',
    );
    return { message, span: { start: end, end: end + 1 } };
  }
}
