// `framework render --batch`: renders the rows with progress and prints the summary, or the plan of `--dry-run`.
import { UserError } from '../../renderer-core/errors.ts';
import { given } from '../../renderer-core/model/variables/given.ts';
import type { InvalidRows } from '../../renderer-core/plan/batchRows.ts';
import { rowNumber } from '../../renderer-core/plan/numberRanges.ts';
import type { BatchEvent, BatchReport, BatchResult } from '../../renderer-core/render/batch/batchReport.ts';
import type { BatchRequest, PreparedBatch } from '../../renderer-core/render/batch/batchTypes.ts';
import type { RenderRequest } from '../../renderer-core/render/types.ts';
import type { CliIo, CommandInput } from '../command.ts';
import { clock, engine } from '../engine.ts';
import { parseRows } from '../options/rowsOption.ts';
import { createBatchProgress, defaultsText, noteText, warningLines } from '../output/batchProgress.ts';
import { colorsFor } from '../output/colors.ts';
import { bytesText, countText, secondsText } from '../output/format.ts';
import type { ProgressMode } from '../output/renderProgress.ts';

const batchValues = ['rows', 'batch-concurrency', 'invalid-rows'] as const;
const batchFlags = ['batch-fail-fast'] as const;

/** Throws UserError `usage` for batch options without `--batch`. */
export function rejectBatchOptions({ values, flags }: CommandInput): void {
  const mode = values.has('resume') ? [`resume=${values.get('resume')}`] : [];
  const options = [...batchValues.filter((one) => values.has(one)), ...batchFlags.filter((one) => flags.has(one))];
  const [name] = [...options, ...mode];
  if (name === undefined) return;
  throw new UserError('usage', `--${name} needs --batch`, {
    hint: 'Add the file with the rows: --batch rows.json',
  });
}

/** `request` contains the options of every row. The exit status is 1 if a row failed. */
export async function runBatch(input: CommandInput, request: RenderRequest, io: CliIo): Promise<number> {
  const { values, flags } = input;
  const quiet = flags.has('quiet');
  const mode = (values.get('progress') as ProgressMode | undefined) ?? (quiet ? 'none' : 'auto');
  const invalidRows = values.get('invalid-rows') as InvalidRows | undefined;
  const progress = createBatchProgress(mode, invalidRows, io.stderr, colorsFor(io.stderr, io.env));
  const { onEvent, stdout, ...options } = request;
  const concurrency = values.get('batch-concurrency');
  const indices = values.get('rows');
  const batch: BatchRequest = {
    ...options,
    rows: values.get('batch') ?? '',
    ...(indices === undefined ? {} : { indices: parseRows(indices) }),
    ...(invalidRows === undefined ? {} : { invalidRows }),
    ...(concurrency === undefined ? {} : { concurrency: Number(concurrency) }),
    ...(flags.has('batch-fail-fast') ? { failFast: true } : {}),
    ...(flags.has('all-sizes') ? { allSizes: true } : {}),
    ...(flags.has('resume') ? { resume: values.get('resume') === 'completed' ? 'completed' : true } : {}),
    onEvent: (event: BatchEvent) => progress.show(event),
  };
  const json = flags.has('json');
  try {
    return await (flags.has('dry-run') ? dryRun(batch, json, quiet, mode, io) : render(batch, json, quiet, io));
  } finally {
    progress.clear();
  }

  async function render(request: BatchRequest, asJson: boolean, isQuiet: boolean, { stdout }: CliIo): Promise<number> {
    const { renderBatch } = io.engine ?? engine;
    const results: BatchResult[] = [];
    const rows = renderBatch(request, { ...clock, env: io.env });
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
    else if (!isQuiet) stdout.write(batchText(report, nounOf(request)));
    // Also where standard output has only paths or JSON.
    if ((asJson || isQuiet) && mode !== 'ndjson')
      for (const line of invalidLines(report, nounOf(request))) io.stderr.write(`${line}\n`);
    return report.failed > 0 ? 1 : 0;
  }
}

async function dryRun(
  request: BatchRequest,
  asJson: boolean,
  isQuiet: boolean,
  mode: ProgressMode,
  io: CliIo,
): Promise<number> {
  const { planBatch } = io.engine ?? engine;
  const plan = await planBatch(request, io);
  const { manifest, warnings, estimatedBytes } = plan;
  if (asJson) {
    const rows = requestedRows(plan).map(
      ({ index, size, output, status, reason, variables, warnings, usedDefaults }) => ({
        ...{ index, output, status, variables },
        ...given({ size, reason, warnings, usedDefaults }),
      }),
    );
    io.stdout.write(`${JSON.stringify({ manifest, total: rows.length, estimatedBytes, warnings, rows })}\n`);
    return 0;
  }
  if (mode !== 'ndjson') {
    for (const note of plan.notes) io.stderr.write(`${noteText(note)}\n`);
    for (const line of warningLines(warnings, request.invalidRows)) io.stderr.write(`warning: ${line}\n`);
  }
  io.stdout.write(isQuiet ? outputsText(plan) : planText(plan, nounOf(request)));
  return 0;
}

/** What a row of the report is: with all sizes, a row of the batch has several videos. */
const nounOf = ({ allSizes }: BatchRequest): string => (allSizes ? 'video' : 'row');

const requestedRows = ({ rows, requested, reasons }: PreparedBatch) =>
  requested.flatMap((at) => (rows[at] ? [{ ...rows[at], reason: reasons.get(at) }] : []));

const outputsText = ({ rows, todo }: PreparedBatch): string => todo.map((at) => `${rows[at]?.output}\n`).join('');

/** One line per row, and the totals. */
function planText(plan: PreparedBatch, noun: string): string {
  const { todo, manifest, estimatedBytes } = plan;
  const rows = requestedRows(plan);
  const width = String(rowNumber(rows.at(-1)?.index ?? 0)).length;
  const lines = rows.map(({ index, output, status, reason, usedDefaults }) => {
    const state = { completed: 'already completed', skipped: 'skipped' }[status as string] ?? reason;
    const notes = [state, usedDefaults && defaultsText(usedDefaults)].filter((note) => note !== undefined);
    return `${String(rowNumber(index)).padStart(width)}  ${output}${notes.length === 0 ? '' : `  (${notes.join(', ')})`}`;
  });
  const count = (wanted: string) => rows.filter(({ status }) => status === wanted).length;
  const [kept, skipped] = [count('completed'), count('skipped')];
  const sums = [
    `${countText(todo.length, noun)} to render${kept > 0 ? `, ${kept} already completed` : ''}`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    `estimated size up to ${bytesText(estimatedBytes)}`,
  ].join(', ');
  return `${lines.join('\n')}\n\n${sums}\nmanifest     ${manifest}\n`;
}

/** The first line contains only the path of the manifest. */
function batchText(report: BatchReport, noun: string): string {
  const { manifest, total, completed, failed, skipped, skippedInvalid, resumed, elapsedMs } = report;
  const facts = [
    `${completed} of ${countText(total, noun)} completed${resumed > 0 ? ` (${resumed} by an earlier run)` : ''}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    `in ${secondsText(elapsedMs / 1000)}`,
  ].join(', ');
  const again =
    failed + skipped - skippedInvalid > 0
      ? 'Run the same command with --resume to render only the remaining rows.\n'
      : '';
  return `${manifest}\n${facts}\n${again}${invalidLines(report, noun)
    .map((line) => `${line}\n`)
    .join('')}`;
}

/** The end of the output, where people look first. */
function invalidLines(
  { usedDefaults, skippedInvalid }: Pick<BatchReport, 'usedDefaults' | 'skippedInvalid'>,
  noun: string,
): string[] {
  return [
    ...(skippedInvalid > 0 ? [`${countText(skippedInvalid, noun)} skipped because of values that do not fit`] : []),
    ...(usedDefaults > 0 ? [`${countText(usedDefaults, noun)} used defaults because of values that do not fit`] : []),
  ];
}
