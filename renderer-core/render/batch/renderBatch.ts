// Project folder and rows in, one video for each row out: one start-up for all of them, and every status in manifest.json.
import { mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { errorToJson, UserError } from '../errors.ts';
import { sweepPartials } from '../project/partials.ts';
import { type RowRun, runLane } from './batchLane.ts';
import { type PreparedBatch, prepareBatch } from './batchPlan.ts';
import { createManifest, type Manifest, type ManifestCounts, type RowError } from './manifest.ts';
import type { RenderReport, RenderRequest } from './renderVideo.ts';
import { withSession } from './session.ts';
import { checkWorkers } from './workers.ts';

/** What the caller asks for: the options of a render hold for every row. */
export type BatchRequest = Omit<RenderRequest, 'output' | 'onEvent' | 'onPlan' | 'network'> & {
  /** Path of a JSON, JSONL or CSV file, or the values themselves. `variables` are for every row, below its own. */
  rows: string | readonly Readonly<Record<string, unknown>>[];
  /** Output with placeholders: `renders/{name}-{index}.mp4`. Default `renders/<composition>-{index}.<ext>`. */
  output?: string;
  /** Rows that render at once. Default 1. */
  concurrency?: number;
  /** Start no further row once one has failed. */
  failFast?: boolean;
  /** Leave out the rows that an earlier run has completed with the same inputs. */
  resume?: boolean;
  onEvent?: (event: BatchEvent) => void;
};

/** What a batch tells while it runs; `--progress=ndjson` prints one of these a line. */
export type BatchEvent =
  | { type: 'stage'; stage: 'check' | 'launch'; message: string }
  | { type: 'warning'; message: string; row?: number }
  | { type: 'row'; index: number; output: string; status: 'running' | 'completed' | 'failed'; error?: RowError }
  | {
      type: 'rows';
      total: number;
      completed: number;
      failed: number;
      running: number;
      remainingSeconds: number | null;
    }
  | { type: 'done'; report: BatchReport };

/** How one row ended. */
export type BatchResult = { index: number; output: string } & (
  | { status: 'completed'; report: RenderReport }
  | { status: 'failed'; error: RowError }
);

export type BatchReport = ManifestCounts & {
  /** Absolute path of the manifest, which has a status for every row. */
  manifest: string;
  /** Rows that an earlier run had completed; they count as completed. */
  resumed: number;
  elapsedMs: number;
  warnings: { message: string; row?: number }[];
};

/** Checks the whole batch and renders nothing. Throws UserError as `renderBatch` does. */
export async function planBatch(request: BatchRequest): Promise<PreparedBatch> {
  checkOptions(request);
  return prepareBatch(request);
}

/**
 * Renders every row and hands out each as it ends; the generator returns the report. A row that fails is recorded, and the
 * others go on. Throws UserError when the batch cannot begin, and `cancelled`. Leaving the loop cancels what still runs.
 */
export async function* renderBatch(request: BatchRequest): AsyncGenerator<BatchResult, BatchReport> {
  const left = new AbortController();
  const signal = request.signal ? AbortSignal.any([request.signal, left.signal]) : left.signal;
  const results: BatchResult[] = [];
  let wake: () => void = () => undefined;
  const hand = (result: BatchResult) => {
    results.push(result);
    wake();
  };
  let isOver = false;
  const work = runBatch({ ...request, signal }, hand).finally(() => {
    isOver = true;
    wake();
  });
  work.catch(() => undefined);
  try {
    for (;;) {
      const result = results.shift();
      if (result) yield result;
      else if (isOver) return await work;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    left.abort();
    await work.catch(() => undefined);
  }
}

function checkOptions({ workers, concurrency = 1 }: BatchRequest): void {
  if (workers !== undefined) checkWorkers(workers);
  if (Number.isInteger(concurrency) && concurrency >= 1) return;
  throw new UserError('usage', `${concurrency} is not a number of rows`, {
    hint: 'Use a whole number from 1 up with --batch-concurrency.',
  });
}

async function runBatch(request: BatchRequest, hand: (result: BatchResult) => void): Promise<BatchReport> {
  const started = performance.now();
  const emit = request.onEvent ?? (() => undefined);
  emit({ type: 'stage', stage: 'check', message: 'Checking the project and all rows' });
  const batch = await planBatch(request);
  for (const warning of batch.warnings) emit({ type: 'warning', ...warning });
  const resumed = batch.rows.length - batch.todo.length;
  // The manifest of an earlier run stays as it is.
  if (request.signal?.aborted) throw new UserError('cancelled', 'The batch was cancelled; nothing was rendered.');
  await makeFolder(dirname(batch.manifest));
  await sweepOutputs(batch);
  const manifest = await createManifest(batch.manifest, batch.batch, batch.rows);
  try {
    if (batch.todo.length > 0) await renderRows(request, batch, manifest, hand);
  } catch (error) {
    if (!request.signal?.aborted) throw error;
    const { completed, total } = manifest.counts();
    const message = `The batch was cancelled: ${completed} of ${total} rows are completed, and --resume renders the rest.`;
    throw new UserError('cancelled', message, { cause: error });
  }
  const elapsedMs = Math.round(performance.now() - started);
  const counts = manifest.counts();
  const report = { ...counts, manifest: manifest.path, resumed, elapsedMs, warnings: batch.warnings };
  emit({ type: 'done', report });
  return report;
}

/** Once for all rows: to look through the folder for each of thousands takes longer than to render them. */
async function sweepOutputs({ rows, todo }: PreparedBatch): Promise<void> {
  const folders = new Map<string, string[]>();
  for (const index of todo) {
    const output = rows[index]?.output ?? '';
    const folder = dirname(output);
    const names = folders.get(folder);
    if (names) names.push(basename(output));
    else folders.set(folder, [basename(output)]);
  }
  for (const [folder, names] of folders) await sweepPartials(folder, names);
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new UserError('output_unwritable', `Cannot write to ${folder}: ${String((error as Error).message)}`, {
      hint: 'Name a folder that you may write to with --output.',
      cause: error,
    });
  }
}

async function renderRows(
  request: BatchRequest,
  batch: PreparedBatch,
  manifest: Manifest,
  hand: (result: BatchResult) => void,
): Promise<void> {
  const emit = request.onEvent ?? (() => undefined);
  const progress = trackRows(batch, emit);
  const stop = new AbortController();
  const run: RowRun = {
    request,
    prepare: batch.prepare,
    async begin(index) {
      progress.begun();
      emit({ type: 'row', index, output: manifest.row(index).output, status: 'running' });
      await manifest.set(index, { status: 'running', startedAt: new Date().toISOString() });
    },
    async end(index, outcome, renderTimeMs) {
      const row = manifest.row(index);
      const completedAt = new Date().toISOString();
      if ('report' in outcome) {
        const { report } = outcome;
        const durationMs = Math.round(report.durationSeconds * 1000);
        progress.ended('completed');
        emit({ type: 'row', index, output: row.output, status: 'completed' });
        await manifest.set(index, { status: 'completed', completedAt, durationMs, renderTimeMs, bytes: report.bytes });
        hand({ index, output: row.output, status: 'completed', report });
        return;
      }
      const error = rowError(outcome.error);
      progress.ended('failed');
      emit({ type: 'row', index, output: row.output, status: 'failed', error });
      // With a full disk every row behind it would fail for the same reason.
      if (request.failFast || error.code === 'disk_full') stop.abort();
      await manifest.set(index, { status: 'failed', completedAt, renderTimeMs, error });
      hand({ index, output: row.output, status: 'failed', error });
    },
    warn: (index, message) => emit({ type: 'warning', message, row: index }),
  };
  const queue = [...batch.todo];
  const take = () => (stop.signal.aborted ? undefined : queue.shift());
  emit({ type: 'stage', stage: 'launch', message: 'Starting the browser' });
  try {
    const { concurrency = 1 } = request;
    await withSession({ ...request, root: batch.project.root }, async (session) => {
      const lanes = Array.from({ length: Math.min(concurrency, queue.length) }, () =>
        runLane(session, run, take, stop.signal),
      );
      const ended = await Promise.allSettled(lanes);
      for (const lane of ended) if (lane.status === 'rejected') throw lane.reason;
    });
  } finally {
    const rest = request.signal?.aborted ? 'pending' : 'skipped';
    await settleRest(batch, manifest, stop.signal.aborted ? rest : 'pending');
  }
}

/** Rows that were begun and not ended, or not begun at all. */
async function settleRest({ todo }: PreparedBatch, manifest: Manifest, status: 'pending' | 'skipped'): Promise<void> {
  const open = todo.filter((index) => ['pending', 'running'].includes(manifest.row(index).status));
  await Promise.all(open.map((index) => manifest.set(index, { status, startedAt: null })));
}

function rowError(error: unknown): RowError {
  if (!(error instanceof UserError))
    return { code: 'internal_error', message: String((error as Error).message ?? error) };
  const { code, message, hint, place } = errorToJson(error);
  const where = place ? `${place.file}${place.line === undefined ? '' : `:${place.line}:${place.column ?? 1}`}: ` : '';
  return { code, message: `${where}${message}`, ...(hint === undefined ? {} : { hint }) };
}

/** Counts rows; the time that is left is told by the rows of this run alone. */
function trackRows({ rows, todo }: PreparedBatch, emit: (event: BatchEvent) => void) {
  const started = performance.now();
  const counts = { completed: rows.length - todo.length, failed: 0, running: 0 };
  let done = 0;
  const tell = () => {
    const each = (performance.now() - started) / 1000 / done;
    const remainingSeconds = done === 0 ? null : each * (todo.length - done);
    emit({ type: 'rows', total: rows.length, ...counts, remainingSeconds });
  };
  return {
    begun() {
      counts.running++;
      tell();
    },
    ended(status: 'completed' | 'failed') {
      counts.running--;
      counts[status]++;
      done++;
      tell();
    },
  };
}
