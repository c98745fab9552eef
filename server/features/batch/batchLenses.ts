// Code lenses of a batch file: open the table of its rows, render all rows, or one.
import type { CodeLens } from 'vscode-languageserver-types';
import { type BatchFile, batchRange } from './batchFile.ts';

/** Maximum number of rows with a lens of their own. Fewer in a long file, where few rows are read. */
const maxRows = 500;
const longFile = 2000;
const maxRowsOfLongFile = 200;

/** Titles are English, as those in a composition, and the arguments contain the counts. Rows count from 0, as in `{index}`. */
export function batchLenses(batch: BatchFile): CodeLens[] {
  const { rows } = batch.read();
  if (!batch.target) return [];
  const { uri } = batch.document;
  const range = batchRange(batch, { start: 0, end: 0 });
  const table = { range, command: { title: 'Render Rows…', command: 'framework.renderRows', arguments: [{ uri }] } };
  // Rows can be added in the table.
  if (rows.length === 0) return [table];
  const title = rows.length === 1 ? 'Render the row' : `Render all ${rows.length} rows`;
  const command = { title, command: 'framework.renderBatch', arguments: [{ uri, rows: rows.length }] };
  const shown = rows.slice(0, rows.length > longFile ? maxRowsOfLongFile : maxRows);
  const each = shown.map(({ span, index }): CodeLens => {
    const command = {
      title: 'Render this row',
      command: 'framework.renderRow',
      arguments: [{ uri, row: index }],
    };
    return { range: batchRange(batch, { start: span.start, end: span.start + 1 }), command };
  });
  return [table, { range, command }, ...each];
}
