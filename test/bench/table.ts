// Formats results as Markdown, for the terminal and for docs/internals/benchmarks.md.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { dirname, join } from 'node:path';

export type Column<Row> = { title: string; text(row: Row): string; numeric?: boolean };

/** A Markdown table. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ title }) => title),
    columns.map(({ numeric }) => (numeric ? '---:' : '---')),
    ...rows.map((row) => columns.map(({ text }) => text(row).replaceAll('|', '\\|'))),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** `12.3`; a dash if not measured; `identical` for an infinite PSNR. */
export function figure(value: number | null | undefined, digits = 1): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  return Number.isFinite(value) ? value.toFixed(digits) : 'identical';
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

export type Versions = { browser: string; ffmpeg: string; peer: string; remotion?: string };

/** The machine and the versions of the measurement. */
export function machineFacts(versions: Versions, rounds: number): string {
  const [cpu] = cpus();
  const facts = [
    ['Date', new Date().toISOString().slice(0, 10)],
    ['Processor', `${cpu?.model.trim() || 'unknown'}, ${cpus().length} cores`],
    ['Memory', `${(totalmem() / 2 ** 30).toFixed(1)} GiB`],
    ['System', `${process.platform} ${process.arch} ${release()}`],
    ['Node', process.version],
    ['Browser, the same for all', versions.browser],
    ['Our ffmpeg', versions.ffmpeg],
    ['Peer', versions.peer],
    ...(versions.remotion === undefined ? [] : [['Remotion', versions.remotion] as const]),
    ['Rounds', rounds === 1 ? '1' : `${rounds}, alternating; the median`],
  ] as const;
  return table(
    [
      { title: 'Measured on', text: ([name]: readonly [string, string]) => name },
      { title: '', text: ([, value]: readonly [string, string]) => value },
    ],
    facts,
  );
}

const page = join(import.meta.dirname, '../../docs/internals/benchmarks.md');
const startMarker = '<!-- bench:start -->';
const endMarker = '<!-- bench:end -->';

/** Replaces the text between the markers; adds the markers and the file if they are missing. */
export async function writeResults(results: string): Promise<string> {
  const before = await readFile(page, 'utf8').catch(() => '# Benchmarks\n');
  const block = `${startMarker}\n\n${results}\n\n${endMarker}`;
  const start = before.indexOf(startMarker);
  const end = before.indexOf(endMarker, start);
  const after =
    start >= 0 && end >= 0
      ? before.slice(0, start) + block + before.slice(end + endMarker.length)
      : `${before.trimEnd()}\n\n${block}\n`;
  await mkdir(dirname(page), { recursive: true });
  await writeFile(page, after);
  return page;
}
