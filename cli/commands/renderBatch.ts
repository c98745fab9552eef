// `framework render --batch`: rows while they run, the summary at the end, and what `--dry-run` prints instead.
import { UserError } from '../errors.ts';
import type { PreparedBatch } from '../render/batchPlan.ts';
import type { BatchEvent, BatchReport, BatchRequest, BatchResult } from '../render/renderBatch.ts';
import type { RenderRequest } from '../render/renderVideo.ts';
import { bytesText, countText, secondsText } from './amounts.ts';
import { createBatchProgress } from './batchProgress.ts';
import { colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import { loadEngine } from './engine.ts';
import type { ProgressMode } from './progress.ts';

const batchOnly = ['batch-concurrency'] as const;
const batchSwitches = ['batch-fail-fast', 'resume'] as const;

/** Throws UserError `usage` for options of a batch where there is none. */
export function refuseBatchOptions({ values, switches }: CommandInput): void {
  const name = [...batchOnly.filter((one) => values.has(one)), ...batchSwitches.filter((one) => switches.has(one))][0];
  if (name === undefined) return;
  throw new UserError('usage', `--${name} is for batches, and there is no --batch`, {
    hint: 'Name the file with the rows: --batch rows.json',
  });
}

/** `request` has the options of every row. The status is 1 when a row has failed. */
export async function runBatch(input: CommandInput, request: RenderRequest, io: CliIo): Promise<number> {
  const { values, switches } = input;
  const quiet = switches.has('quiet');
  const mode = (values.get('progress') as ProgressMode | undefined) ?? (quiet ? 'none' : 'auto');
  const progress = createBatchProgress(mode, io.stderr, colorsFor(io.stderr, io.env));
  const { onEvent, ...options } = request;
  const concurrency = values.get('batch-concurrency');
  const batch: BatchRequest = {
    ...options,
    rows: values.get('batch') ?? '',
    ...(concurrency === undefined ? {} : { concurrency: Number(concurrency) }),
    ...(switches.has('batch-fail-fast') ? { failFast: true } : {}),
    ...(switches.has('resume') ? { resume: true } : {}),
    onEvent: (event: BatchEvent) => progress.show(event),
  };
  const json = switches.has('json');
  try {
    return await (switches.has('dry-run') ? dryRun(batch, json, quiet, mode, io) : render(batch, json, quiet, io));
  } finally {
    progress.clear();
  }

  async function render(asked: BatchRequest, asJson: boolean, isQuiet: boolean, { stdout }: CliIo): Promise<number> {
    const { renderBatch } = io.engine ?? (await loadEngine());
    const results: BatchResult[] = [];
    const rows = renderBatch(asked);
    let report: BatchReport;
    for (;;) {
      const next = await rows.next();
      if (next.done) {
        report = next.value;
        break;
      }
      const result = next.value;
      if (asJson) results.push(result);
      else if (isQuiet && result.status === 'completed') stdout.write(`${result.output}\n`);
    }
    progress.clear();
    if (asJson) stdout.write(`${JSON.stringify({ ...report, rows: results.sort((a, b) => a.index - b.index) })}\n`);
    else if (!isQuiet) stdout.write(batchText(report));
    return report.failed > 0 ? 1 : 0;
  }
}

async function dryRun(
  asked: BatchRequest,
  asJson: boolean,
  isQuiet: boolean,
  mode: ProgressMode,
  io: CliIo,
): Promise<number> {
  const { planBatch } = io.engine ?? (await loadEngine());
  const plan = await planBatch(asked);
  const { manifest, warnings, estimatedBytes } = plan;
  if (asJson) {
    const rows = plan.rows.map(({ index, output, status, variables }) => ({ index, output, status, variables }));
    io.stdout.write(`${JSON.stringify({ manifest, total: rows.length, estimatedBytes, warnings, rows })}\n`);
    return 0;
  }
  if (mode !== 'ndjson') for (const line of warningLines(warnings)) io.stderr.write(`warning: ${line}\n`);
  io.stdout.write(isQuiet ? outputsText(plan) : planText(plan));
  return 0;
}

const outputsText = ({ rows, todo }: PreparedBatch): string => todo.map((index) => `${rows[index]?.output}\n`).join('');

/** Every row with its output, and the sums below. */
function planText(plan: PreparedBatch): string {
  const { rows, todo, manifest, estimatedBytes } = plan;
  const width = String(rows.length - 1).length;
  const lines = rows.map(({ index, output, status }) => {
    const done = status === 'completed' ? '  (completed already)' : '';
    return `${String(index).padStart(width)}  ${output}${done}`;
  });
  const kept = rows.length - todo.length;
  const sums = [
    `${countText(todo.length, 'row')} to render${kept > 0 ? `, ${kept} completed already` : ''}`,
    `at most about ${bytesText(estimatedBytes)}`,
  ].join(', ');
  return `${lines.join('\n')}\n\n${sums}\nmanifest     ${manifest}\n`;
}

/** The manifest's path stands alone on the first line. */
function batchText({ manifest, total, completed, failed, skipped, resumed, elapsedMs }: BatchReport): string {
  const facts = [
    `${completed} of ${countText(total, 'row')} completed${resumed > 0 ? ` (${resumed} by an earlier run)` : ''}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    `in ${secondsText(elapsedMs / 1000)}`,
  ].join(', ');
  const again = failed + skipped > 0 ? 'Run the same command with --resume to render only what is left.\n' : '';
  return `${manifest}\n${facts}\n${again}`;
}

/** So many warnings are printed at most; equal ones of several rows are one. */
const shownWarnings = 20;

export function warningLines(warnings: readonly { message: string; row?: number }[]): string[] {
  const rows = new Map<string, number[]>();
  for (const { message, row } of warnings) {
    const known = rows.get(message) ?? [];
    if (row !== undefined) known.push(row);
    rows.set(message, known);
  }
  const lines = [...rows].map(([message, of]) => `${rowsText(of)}${message}`);
  const more = lines.length - shownWarnings;
  return more > 0 ? [...lines.slice(0, shownWarnings), `and ${more} more`] : lines;
}

function rowsText(rows: readonly number[]): string {
  if (rows.length === 0) return '';
  if (rows.length === 1) return `row ${rows[0]}: `;
  return `rows ${rows.slice(0, 5).join(', ')}${rows.length > 5 ? ` and ${rows.length - 5} more` : ''}: `;
}
