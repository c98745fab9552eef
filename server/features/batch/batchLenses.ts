// What stands above the rows of a batch file: render all of them, or one.
import type { CodeLens } from 'vscode-languageserver-types';
import { type BatchFile, batchRange } from './batchFile.ts';

/** So many rows have a lens of their own; in a long file, where nobody reads every row, fewer. */
const mostRows = 500;
const longFile = 2000;
const mostRowsOfLongFile = 200;

/** Their arguments are plain JSON: the client knows what to make of it. Rows count from 0, as `{index}` does. */
export function batchLenses(batch: BatchFile): CodeLens[] {
  const { rows } = batch.read();
  if (!batch.target || rows.length === 0) return [];
  const { uri } = batch.document;
  const title = rows.length === 1 ? 'Render the row' : `Render all ${rows.length} rows`;
  const all: CodeLens = {
    range: batchRange(batch, { start: 0, end: 0 }),
    command: { title, command: 'framework.renderBatch', arguments: [{ uri }] },
  };
  const shown = rows.slice(0, rows.length > longFile ? mostRowsOfLongFile : mostRows);
  const each = shown.map(({ span, index }): CodeLens => {
    const command = { title: 'Render this row', command: 'framework.renderRow', arguments: [{ uri, row: index }] };
    return { range: batchRange(batch, { start: span.start, end: span.start + 1 }), command };
  });
  return [all, ...each];
}
