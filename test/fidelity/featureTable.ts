// The table of features in docs/internals/capture.md: how each page of the corpus was captured, and how similar its frames are
// to the browser's own screenshots.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ContactRow } from './contactSheet.ts';
import { corpus } from './corpus.ts';

const docs = fileURLToPath(new URL('../../docs/internals/capture.md', import.meta.url));
const table = /(<!-- features -->\n).*(<!-- \/features -->)/s;

export type TableRow = Pick<ContactRow, 'name' | 'path' | 'decibels'>;

/** Replaces the table between the marks in docs/internals/capture.md. */
export function writeTable(rows: readonly TableRow[]): void {
  writeFileSync(
    docs,
    readFileSync(docs, 'utf8').replace(table, (_, start, end) => `${start}${tableOf(rows)}\n${end}`),
  );
}

/** In the order of the corpus. */
function tableOf(rows: readonly TableRow[]): string {
  const lines = corpus.flatMap(({ name }) => {
    const row = rows.find((one) => one.name === name);
    return row ? [`| ${name} | ${row.path === 'paint' ? 'yes' : 'no'} | ${formatDecibels(row.decibels)} |`] : [];
  });
  return ['| Feature | Painted | Similarity in dB |', '| --- | --- | --- |', ...lines].join('\n');
}

const formatDecibels = (decibels: number): string => (Number.isFinite(decibels) ? decibels.toFixed(1) : 'equal');
