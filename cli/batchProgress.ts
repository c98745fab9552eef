// Shows how a batch goes on standard error: one line that is redrawn, a line a row, JSON lines, or nothing.
import type { BatchEvent } from '../render/renderBatch.ts';
import { countText, secondsText } from './amounts.ts';
import { warningLines } from './batch.ts';
import type { Colors } from './colors.ts';
import type { CliStream } from './command.ts';
import { barText, createLiveLine } from './liveLine.ts';
import type { ProgressMode } from './progress.ts';

export type BatchProgress = { show(event: BatchEvent): void; clear(): void };

type Rows = Extract<BatchEvent, { type: 'rows' }>;
type Row = Extract<BatchEvent, { type: 'row' }>;

/** `plain` prints one line for each row that ends; `auto` only for those that fail. */
export function createBatchProgress(mode: ProgressMode, stream: CliStream, colors: Colors): BatchProgress {
  if (mode === 'ndjson')
    return { show: (event) => void stream.write(`${JSON.stringify(event)}\n`), clear: () => undefined };
  const redraws = mode === 'auto' && stream.isTTY === true;
  let warnings: { message: string; row?: number }[] = [];
  const { draw, clear } = createLiveLine(stream, colors);
  const line = (text: string): void => {
    clear();
    stream.write(`${text}\n`);
  };
  /** Those of the check are the same for many rows: they are told together. */
  const tellWarnings = (): void => {
    for (const text of warningLines(warnings)) line(`${colors.yellow('warning:')} ${text}`);
    warnings = [];
  };
  return {
    clear() {
      tellWarnings();
      clear();
    },
    show(event) {
      if (event.type === 'warning') {
        const { message, row } = event;
        warnings.push(row === undefined ? { message } : { message, row });
        return;
      }
      tellWarnings();
      if (mode === 'none') return;
      if (event.type === 'stage') (redraws ? draw : line)(event.message);
      if (event.type === 'row') showRow(event, mode, line, colors);
      if (event.type === 'rows' && redraws) draw(rowsText(event));
      if (event.type === 'done') clear();
    },
  };
}

function showRow(
  { index, output, status, error }: Row,
  mode: ProgressMode,
  line: (text: string) => void,
  colors: Colors,
) {
  if (status === 'failed') line(`${colors.red(`row ${index} failed:`)} ${error?.message ?? ''}`);
  if (status === 'completed' && mode === 'plain') line(`row ${index}: ${output}`);
}

function rowsText({ total, completed, failed, running, remainingSeconds }: Rows): string {
  const done = completed + failed;
  const bar = barText(done / Math.max(1, total));
  const left = remainingSeconds === null ? '' : `, ${secondsText(Math.ceil(remainingSeconds))} left`;
  return `${bar} ${done}/${countText(total, 'row')}, ${failed} failed, ${running} running${left}`;
}
