// Renders a project once for each row of a batch, with one start-up for all rows, and records every status in manifest.json.

import { basename, dirname } from 'node:path';
import { errorToJson, UserError } from '../../errors.ts';
import { given } from '../../model/variables/given.ts';
import { createFolder } from '../../project/output/outputTarget.ts';
import { removeStaleTempFiles } from '../../project/output/tempFiles.ts';
import { type Surroundings, withSession } from '../session.ts';
import { prepareBatch } from './batchPlan.ts';
import type { BatchEvent, BatchReport, BatchResult } from './batchReport.ts';
import type { BatchRequest, PreparedBatch } from './batchTypes.ts';
import { type BatchRun, type RowOutcome, runBatchWorker } from './batchWorker.ts';
import { createManifest, type Manifest } from './manifest.ts';
import type { ManifestCounts, ManifestRow, RowError } from './manifestFile.ts';

/** `date`: the date and time. */
export type BatchSurroundings = Surroundings & { date(): Date };

/** Checks the whole batch and renders nothing. Throws UserError like `renderBatch`. */
export async function planBatch(
  request: BatchRequest,
  surroundings: Pick<Surroundings, 'env'>,
): Promise<PreparedBatch> {
  checkConcurrency(request);
  return prepareBatch(request, surroundings);
}

/**
 * Renders every row and yields each result; the generator returns the report. A row that fails is recorded, and the
 * other rows continue. Throws UserError if the batch cannot start, and `cancelled`. Leaving the loop cancels the batch.
 */
export async function* renderBatch(
  request: BatchRequest,
  surroundings: BatchSurroundings,
): AsyncGenerator<BatchResult, BatchReport> {
  const left = new AbortController();
  const signal = request.signal ? AbortSignal.any([request.signal, left.signal]) : left.signal;
  const results: BatchResult[] = [];
  let wake: () => void = () => undefined;
  const onResult = (result: BatchResult) => {
    results.push(result);
    wake();
  };
  let isOver = false;
  const work = runBatch({ ...request, signal }, onResult, surroundings).finally(() => {
    isOver = true;
    wake();
  });
  // The loop reports a failure. Until then, and when the caller leaves early, it must not count as unhandled.
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

function checkConcurrency({ concurrency = 1 }: BatchRequest): void {
  if (Number.isInteger(concurrency) && concurrency >= 1) return;
  throw new UserError('usage', `batch-concurrency must be a whole number from 1 (got ${concurrency})`, {
    hint: 'Set the number of rows that render at the same time with --batch-concurrency.',
  });
}

async function runBatch(
  request: BatchRequest,
  onResult: (result: BatchResult) => void,
  surroundings: BatchSurroundings,
): Promise<BatchReport> {
  const startedAt = surroundings.now();
  const emit = request.onEvent ?? (() => undefined);
  emit({ type: 'stage', stage: 'check', message: 'Checking the project and all rows' });
  const batch = await planBatch(request, surroundings);
  for (const note of batch.notes) emit({ type: 'note', ...note });
  for (const warning of batch.warnings) emit({ type: 'warning', ...warning });
  for (const [at, reason] of batch.reasons) {
    const { index, size } = batch.rows[at] as ManifestRow;
    emit({ type: 'rerender', row: index, ...given({ size }), reason });
  }
  const resumed = countCompleted(batch);
  // Before the manifest of an earlier run is replaced.
  if (request.signal?.aborted) throw new UserError('cancelled', 'The batch was cancelled; nothing was rendered.');
  await createFolder(dirname(batch.manifest));
  await removeStaleOutputs(batch);
  const manifest = await createManifest(batch.manifest, batch);
  try {
    if (batch.todo.length > 0) await renderRows(request, batch, manifest, onResult, surroundings);
  } catch (error) {
    if (!request.signal?.aborted) throw error;
    const { completed, total } = countsOf(batch, manifest);
    const message = `The batch was cancelled: ${completed} of ${total} ${request.allSizes ? 'videos' : 'rows'} are completed; --resume renders the rest.`;
    throw new UserError('cancelled', message, { cause: error });
  }
  const elapsedMs = Math.round(surroundings.now() - startedAt);
  const report = {
    ...countsOf(batch, manifest),
    ...countInvalid(batch, manifest),
    manifest: manifest.path,
    resumed,
    elapsedMs,
    warnings: batch.warnings,
  };
  emit({ type: 'done', report });
  return report;
}

/** The requested rows that an earlier run has completed. */
const countCompleted = ({ rows, requested }: Pick<PreparedBatch, 'rows' | 'requested'>): number =>
  requested.filter((at) => rows[at]?.status === 'completed').length;

/** Counts the requested rows; the manifest has all. */
function countsOf({ requested }: PreparedBatch, { row }: Manifest): ManifestCounts {
  const count = (status: ManifestRow['status']) => requested.filter((at) => row(at).status === status).length;
  return {
    total: requested.length,
    completed: count('completed'),
    failed: count('failed'),
    skipped: count('skipped'),
  };
}

function countInvalid({ requested, todo }: PreparedBatch, { row }: Manifest) {
  const rendered = new Set(todo);
  const count = (is: (one: ManifestRow, at: number) => boolean) => requested.filter((at) => is(row(at), at)).length;
  return {
    usedDefaults: count(({ status, usedDefaults }) => status === 'completed' && usedDefaults !== undefined),
    // Rows that did not start because of another error are in `todo`.
    skippedInvalid: count(({ status }, at) => status === 'skipped' && !rendered.has(at)),
  };
}

/** Reads each folder once: with thousands of rows, reading it for each row takes longer than rendering. */
async function removeStaleOutputs({ rows, todo }: PreparedBatch): Promise<void> {
  const folders = new Map<string, string[]>();
  for (const at of todo) {
    const output = rows[at]?.output ?? '';
    const folder = dirname(output);
    const names = folders.get(folder);
    if (names) names.push(basename(output));
    else folders.set(folder, [basename(output)]);
  }
  for (const [folder, names] of folders) await removeStaleTempFiles(folder, names);
}

async function renderRows(
  request: BatchRequest,
  batch: PreparedBatch,
  manifest: Manifest,
  onResult: (result: BatchResult) => void,
  surroundings: BatchSurroundings,
): Promise<void> {
  const emit = request.onEvent ?? (() => undefined);
  const progress = countRows(batch, emit, surroundings.now);
  const stop = new AbortController();
  const queue = [...batch.todo];
  const run: BatchRun = {
    request,
    prepare: batch.prepare,
    take: () => (stop.signal.aborted ? undefined : queue.shift()),
    stopped: stop.signal,
    now: surroundings.now,
    async begin(at) {
      progress.begun();
      const { index, size, output } = manifest.row(at);
      emit({ type: 'row', index, ...given({ size }), output, status: 'running' });
      await manifest.set(at, { status: 'running', startedAt: surroundings.date().toISOString() });
    },
    async end(at, outcome, renderTimeMs) {
      const { index, size, output, inputs, warnings, usedDefaults } = manifest.row(at);
      const own = { index, output, ...given({ size, warnings, usedDefaults }) };
      const result = resultOf(own, outcome, batch.reasons.get(at));
      progress.ended(result.status);
      const { status } = result;
      const facts = status === 'failed' ? { error: result.error } : usedDefaults ? { usedDefaults } : {};
      emit({ type: 'row', index, ...given({ size }), output, status, ...facts });
      // With a full disk all later rows would fail for the same reason.
      if (result.status === 'failed' && (request.failFast || result.error.code === 'disk_full')) stop.abort();
      const change = { ...manifestChange(result), completedAt: surroundings.date().toISOString(), renderTimeMs };
      const files = 'reads' in outcome ? manifest.addFiles(await batch.recordFiles(outcome.reads)) : [];
      await manifest.set(at, { ...change, inputs: { options: inputs?.options ?? '', files } });
      onResult(result);
    },
    warn: (at, message) => emit({ type: 'warning', message, row: manifest.row(at).index }),
  };
  emit({ type: 'stage', stage: 'launch', message: 'Starting the browser' });
  try {
    const { concurrency = 1 } = request;
    await withSession({ ...request, ...surroundings, root: batch.project.root }, async (session) => {
      const workers = Array.from({ length: Math.min(concurrency, queue.length) }, () => runBatchWorker(session, run));
      const ended = await Promise.allSettled(workers);
      for (const worker of ended) if (worker.status === 'rejected') throw worker.reason;
    });
  } finally {
    const rest = request.signal?.aborted ? 'pending' : 'skipped';
    await settleRest(batch, manifest, stop.signal.aborted ? rest : 'pending');
  }
}

type ResultRow = Pick<ManifestRow, 'index' | 'size' | 'output' | 'warnings' | 'usedDefaults'>;

function resultOf(own: ResultRow, outcome: RowOutcome, reason: string | undefined): BatchResult {
  const row = { ...own, ...(reason === undefined ? {} : { reason }) };
  if ('report' in outcome) return { ...row, status: 'completed', report: outcome.report };
  return { ...row, status: 'failed', error: rowError(outcome.error) };
}

function manifestChange(result: BatchResult): Parameters<Manifest['set']>[1] {
  if (result.status === 'failed') return { status: 'failed', error: result.error };
  const { durationSeconds, bytes, engine } = result.report;
  return { status: 'completed', durationMs: Math.round(durationSeconds * 1000), bytes, engine };
}

/** Sets the status of rows that have not started or not ended. */
async function settleRest({ todo }: PreparedBatch, manifest: Manifest, status: 'pending' | 'skipped'): Promise<void> {
  const open = todo.filter((at) => ['pending', 'running'].includes(manifest.row(at).status));
  await Promise.all(open.map((at) => manifest.set(at, { status, startedAt: null })));
}

/** An error of one row, whose message names the file and the line. */
export function rowError(error: unknown): RowError {
  if (!(error instanceof UserError))
    return { code: 'internal_error', message: String((error as Error).message ?? error) };
  const { code, message, hint, place } = errorToJson(error);
  const where = place ? `${place.file}${place.line === undefined ? '' : `:${place.line}:${place.column ?? 1}`}: ` : '';
  return { code, message: `${where}${message}`, ...(hint === undefined ? {} : { hint }) };
}

/** Counts rows and reports them. The remaining time is estimated from the rows of this run only. */
function countRows({ rows, requested, todo }: PreparedBatch, emit: (event: BatchEvent) => void, now: () => number) {
  const startedAt = now();
  const counts = { completed: countCompleted({ rows, requested }), failed: 0, running: 0 };
  const total = counts.completed + todo.length;
  let done = 0;
  const report = () => {
    const each = (now() - startedAt) / 1000 / done;
    const remainingSeconds = done === 0 ? null : each * (todo.length - done);
    emit({ type: 'rows', total, ...counts, remainingSeconds });
  };
  return {
    begun() {
      counts.running++;
      report();
    },
    ended(status: 'completed' | 'failed') {
      counts.running--;
      counts[status]++;
      done++;
      report();
    },
  };
}
