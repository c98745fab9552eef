// Progress of a batch on stderr: one line that is redrawn, one line per row, JSON lines, or nothing.
import { isMisfit } from '../../renderer-core/model/variables/values.ts';
import type { InvalidRows } from '../../renderer-core/plan/batchRows.ts';
import { rowNumber } from '../../renderer-core/plan/numberRanges.ts';
import type { BatchEvent, BatchWarning } from '../../renderer-core/render/batch/batchReport.ts';
import type { CliStream } from '../command.ts';
import type { Colors } from './colors.ts';
import { countText, secondsText } from './format.ts';
import { locationText } from './formatError.ts';
import { barText, createLiveLine } from './liveLine.ts';
import type { ProgressMode } from './renderProgress.ts';

export type BatchProgress = { show(event: BatchEvent): void; clear(): void };

type Rows = Extract<BatchEvent, { type: 'rows' }>;
type Row = Extract<BatchEvent, { type: 'row' }>;

/** `plain` prints one line for each finished row; `auto` only for failed rows. */
export function createBatchProgress(
  mode: ProgressMode,
  invalidRows: InvalidRows | undefined,
  stream: CliStream,
  colors: Colors,
): BatchProgress {
  if (mode === 'ndjson')
    return { show: (event) => void stream.write(`${JSON.stringify(event)}\n`), clear: () => undefined };
  const redraws = mode === 'auto' && stream.isTTY === true;
  let warnings: BatchWarning[] = [];
  let noun = 'row';
  let rerenders: { row: number; reason: string }[] = [];
  const { draw, clear } = createLiveLine(stream, colors);
  const line = (text: string): void => {
    clear();
    stream.write(`${text}\n`);
  };
  /** Events of the check are collected, because many rows have the same warning or reason. */
  const printCollected = (): void => {
    for (const text of warningLines(warnings, invalidRows)) line(`${colors.yellow('warning:')} ${text}`);
    warnings = [];
    if (mode !== 'none') for (const text of rerenderLines(rerenders)) line(text);
    rerenders = [];
  };
  return {
    clear() {
      printCollected();
      clear();
    },
    show(event) {
      if (event.type === 'warning') {
        const { type: _, ...warning } = event;
        warnings.push(warning);
        return;
      }
      if (event.type === 'note') return line(noteText(event));
      if (event.type === 'rerender') {
        rerenders.push(event);
        return;
      }
      printCollected();
      if (mode === 'none') return;
      if (event.type === 'stage') (redraws ? draw : line)(event.message);
      if (event.type === 'row' && event.size !== undefined) noun = 'video';
      if (event.type === 'row') showRow(event, mode, line, colors);
      if (event.type === 'rows' && redraws) draw(rowsText(event, noun));
      if (event.type === 'done') clear();
    },
  };
}

function showRow(
  { index, size, output, status, usedDefaults, error }: Row,
  mode: ProgressMode,
  line: (text: string) => void,
  colors: Colors,
) {
  const row = `row ${rowNumber(index)}${size === undefined ? '' : ` (${size})`}`;
  if (status === 'failed') line(`${colors.red(`${row} failed:`)} ${error?.message ?? ''}`);
  if (status !== 'completed' || mode !== 'plain') return;
  line(`${row}: ${output}${usedDefaults ? ` ${colors.yellow(`(${defaultsText(usedDefaults)})`)}` : ''}`);
}

function rowsText({ total, completed, failed, running, remainingSeconds }: Rows, noun: string): string {
  const done = completed + failed;
  const bar = barText(done / Math.max(1, total));
  const left = remainingSeconds === null ? '' : `, ${secondsText(Math.ceil(remainingSeconds))} left`;
  return `${bar} ${done}/${countText(total, noun)}, ${failed} failed, ${running} running${left}`;
}

export const noteText = ({ message, place }: BatchWarning): string =>
  `note: ${place ? `${locationText(place)}: ` : ''}${message}`;

const maxLines = 20;
/** A wrong value is easily missed in the video, so more of them are listed. */
const maxInvalidLines = 100;

export const defaultsText = (ids: readonly string[]): string => `uses the default of ${ids.join(', ')}`;

/** The warnings as text: first one with all invalid rows, then the others. */
export function warningLines(warnings: readonly BatchWarning[], invalidRows: InvalidRows = 'defaults'): string[] {
  const isInvalid = ({ row, issue }: BatchWarning) => row !== undefined && isMisfit(issue);
  const wrong = warnings.filter(isInvalid);
  const others = groupedLines(warnings.filter((warning) => !isInvalid(warning)));
  if (wrong.length === 0) return others;
  const count = new Set(wrong.map(({ row }) => row)).size;
  const consequence = invalidRows === 'skip' ? 'skipped' : 'rendered with the defaults of these variables';
  const head =
    count === 1
      ? `1 row has values that do not fit. It is ${consequence}:`
      : `${count} rows have values that do not fit. They are ${consequence}:`;
  return [[head, ...limited(wrong.map(invalidLine), maxInvalidLines).map((line) => `  ${line}`)].join('\n'), ...others];
}

/** `rows.csv:4:5: row 3: Variable "price" must be a number (got "abc")`. */
const invalidLine = ({ message, row = 0, place }: BatchWarning): string =>
  `${place ? `${locationText(place)}: ` : ''}${rowPrefix([row])}${message}`;

/** One line per distinct warning, with its first location and its rows; at most 20 lines. */
function groupedLines(warnings: readonly BatchWarning[]): string[] {
  const groups = new Map<string, { message: string; rows: number[]; place: BatchWarning['place'] }>();
  for (const { message, row, place } of warnings) {
    // Without a row, the location is what tells warnings apart.
    const key = row === undefined && place ? `${locationText(place)}: ${message}` : message;
    const group = groups.get(key) ?? { message, rows: [], place };
    if (row !== undefined) group.rows.push(row);
    groups.set(key, group);
  }
  const lines = [...groups.values()].map(({ message, rows, place }) => {
    const location = place ? `${locationText(place)}: ` : '';
    return `${location}${rowPrefix(rows)}${message}`;
  });
  return limited(lines);
}

/** One line per distinct reason, with its rows; at most 20 lines. */
function rerenderLines(rerenders: readonly { row: number; reason: string }[]): string[] {
  const groups = new Map<string, number[]>();
  for (const { row, reason } of rerenders) {
    const rows = groups.get(reason);
    if (rows) rows.push(row);
    else groups.set(reason, [row]);
  }
  return limited([...groups].map(([reason, rows]) => `${rowPrefix(rows)}${reason}`));
}

function limited(lines: readonly string[], most = maxLines): string[] {
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), `and ${more} more`] : [...lines];
}

/** `indices` count from 0. A row with several sizes comes several times. */
function rowPrefix(indices: readonly number[]): string {
  const rows = [...new Set(indices)].map(rowNumber);
  if (rows.length === 0) return '';
  if (rows.length === 1) return `row ${rows[0]}: `;
  return `rows ${rows.slice(0, 5).join(', ')}${rows.length > 5 ? ` and ${rows.length - 5} more` : ''}: `;
}
