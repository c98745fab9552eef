// Renders rows one after another in one browser. While a row is captured, the page of the next row loads; while that row
// is captured, the file of this one is encoded and written.

import { planSamples } from '../../capture/samples.ts';
import { UserError } from '../../errors.ts';
import { given } from '../../model/variables/given.ts';
import type { FileRead } from '../../project/fileReads.ts';
import { videoOptions } from '../captureOptions.ts';
import { capture } from '../captureStage.ts';
import { openOutput } from '../output.ts';
import { finishVideo } from '../pipeline.ts';
import { probe } from '../probe/probe.ts';
import type { RenderEvent, RenderReport } from '../renderReport.ts';
import type { Browsers, Session, Site } from '../session.ts';
import type { PreparedRender, ProbedRender, ProgressReporter } from '../types.ts';
import { recordedFiles } from './batchInputs.ts';
import type { BatchRequest } from './batchTypes.ts';

/** The rows of a batch, as a worker sees them: `at` is the position of a row in the prepared batch. */
export type BatchRun = {
  request: Pick<BatchRequest, 'capture' | 'strictVariables' | 'workers' | 'failFast'>;
  prepare(at: number): PreparedRender;
  /** The next row to render; undefined if there is none. */
  take(): number | undefined;
  /** Aborted when no further row may start. */
  stopped: AbortSignal;
  now(): number;
  begin(at: number): Promise<void>;
  end(at: number, outcome: RowOutcome, renderTimeMs: number): Promise<void>;
  warn(at: number, message: string): void;
  /** Gets the other events of the row that is captured or finished. */
  onEvent?(event: RenderEvent): void;
};

/** `reads`: the files that the row has read. */
export type RowOutcome = FinishedRow | { error: unknown };
type FinishedRow = { report: RenderReport; reads: FileRead[] };

/** A site, and the promise that the previous row has closed its pages there. */
type Slot = { site: Site; free: Promise<unknown> };

/** A row whose first page is being opened. */
type OpeningRow = {
  at: number;
  prepared: PreparedRender;
  slot: Slot;
  probed: Promise<ProbedRender>;
  warnings: string[];
};

/** Renders rows until there are none. Rejects only if the session's signal is aborted. */
export async function runBatchWorker(session: Session, run: BatchRun): Promise<void> {
  const { signal } = session;
  const opener = await createRowOpener(session, run);
  let current = opener.open();
  let finishing: Promise<void> = Promise.resolve();
  try {
    while (current && !run.stopped.aborted) {
      signal.throwIfAborted();
      const row: OpeningRow = current;
      const startedAt = run.now();
      await run.begin(row.at);
      let ahead: OpeningRow | undefined;
      const openNext = () => {
        if (!run.stopped.aborted) ahead ??= opener.openAhead(row.slot);
      };
      const captured = await settled(captureRow(run, row, startedAt, openNext));
      if ('value' in captured) row.slot.free = captured.value.closed;
      // One file at a time is written while the next row is captured, so that a slow disk slows the capture down.
      await finishing;
      finishing = finishRow(run, row.at, startedAt, captured, signal);
      // It is awaited later; until then its failure must not count as unhandled.
      finishing.catch(() => undefined);
      // In these cases the row's result decides whether there is a next row.
      if (run.request.failFast || !('value' in captured)) await finishing;
      openNext();
      current = ahead && (await opener.reopenIfLost(ahead));
    }
  } finally {
    // If the worker ends early, unfinished outputs are removed before the session ends.
    await finishing.catch(() => undefined);
  }
  await finishing;
  // A row that is not rendered has no failure to report.
  if (current) await current.probed.then(({ close }) => close()).catch(() => undefined);
}

type RowOpener = {
  /** Opens the first row. */
  open(): OpeningRow | undefined;
  /** Opens the next row, at the site that `busy` does not use, and prepares its capture. */
  openAhead(busy: Slot): OpeningRow | undefined;
  /** Opens the row again if the browser died during the row before it. */
  reopenIfLost(row: OpeningRow): Promise<OpeningRow>;
};

async function createRowOpener(session: Session, run: BatchRun): Promise<RowOpener> {
  const browsers: Browsers = session.openBrowsers(true);
  const openSlot = async (): Promise<Slot> => ({ site: await session.openSite(), free: Promise.resolve() });
  const slots = await Promise.all([openSlot(), openSlot()]);
  const { capture, strictVariables } = run.request;
  const options = given({ capture, strictVariables });

  const openRow = (at: number, slot: Slot): OpeningRow => {
    const warnings: string[] = [];
    const checked = run.prepare(at);
    const prepared = { ...checked, files: recordedFiles(checked.files, checked.root, slot.site.server.reads) };
    const onEvent = (event: RenderEvent) => {
      if (event.type === 'warning') warnings.push(event.message);
    };
    const place = { session, site: slot.site, browsers };
    const probed = slot.free.then(() => probe({ ...options, onEvent }, prepared, place));
    // The failure is reported when it is the row's turn.
    probed.catch(() => undefined);
    return { at, prepared, slot, probed, warnings };
  };
  const openIn = (slot: Slot | undefined): OpeningRow | undefined => {
    const at = slot && run.take();
    return slot && at !== undefined ? openRow(at, slot) : undefined;
  };

  return {
    open: () => openIn(slots[0]),
    openAhead(busy) {
      const row = openIn(slots.find((slot) => slot !== busy));
      // The row reports the failure when it is its turn.
      row?.probed.then((probed) => prepareCapture(run.request, probed)).catch(() => undefined);
      return row;
    },
    async reopenIfLost(row) {
      const opened = await settled(row.probed);
      const isLost =
        'value' in opened
          ? !opened.value.page.launched.browser.connected
          : opened.error instanceof UserError && opened.error.code === 'browser_failed';
      if (!isLost) return row;
      // Its browser has ended.
      if ('value' in opened) await opened.value.close().catch(() => undefined);
      return openRow(row.at, row.slot);
    },
  };
}

/**
 * Takes the samples of a page with videos, while another row is captured. Rows with several
 * chunks are long enough to do that themselves.
 */
function prepareCapture({ capture = 'auto' }: BatchRun['request'], probed: ProbedRender): void {
  const { plan, samples } = probed;
  const { obstacle, clips, traits } = probed.facts;
  if (capture === 'screenshot' || (capture === 'auto' && obstacle !== null) || plan.chunks.length > 1) return;
  const compared = planSamples(plan, clips, traits.needsOneSample);
  if (capture === 'auto') samples.take(compared.map(({ frame }) => frame));
}

type Settled<T> = { value: T } | { error: unknown };

const settled = <T>(work: Promise<T>): Promise<Settled<T>> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** `closed` resolves when the row's pages are closed; `finish` encodes, muxes and commits the output. */
type CapturedRow = { closed: Promise<unknown>; finish(): Promise<FinishedRow> };

/** Captures the row's frames. Nothing stays open after it has failed or its `finish` has ended. */
async function captureRow(
  { request, now, warn, onEvent }: BatchRun,
  { at, prepared, probed: opening, warnings }: OpeningRow,
  startedAt: number,
  openNext: () => void,
): Promise<CapturedRow> {
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    // The row has its result already.
    for (const one of closing) await one().catch(() => undefined);
  };
  try {
    closing.push(() => opening.then((probed) => probed.close()));
    const output = await openOutput(prepared.draft.output, prepared.draft.format, { isClean: true });
    closing.push(output.discard);
    const probed = await opening;
    for (const message of warnings) warn(at, message);
    const emit = (event: RenderEvent) => {
      // The first frames have been captured: now there is time to load the next row's page.
      if (event.type === 'frames') openNext();
      if (event.type !== 'warning') return onEvent?.(event);
      warnings.push(event.message);
      warn(at, event.message);
    };
    const progress: ProgressReporter = { now, startedAt, warnings, emit };
    const captured = await capture(probed, videoOptions(request, probed.plan, output, emit), progress);
    // Before another row uses the site.
    const reads = captured.closed.then(() => probed.page.services.server.reads.list());
    const finish = async () => ({ report: await finishVideo(captured, probed, output, progress), reads: await reads });
    return { closed: reads, finish: () => finish().finally(close) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Finishes the row's file and reports how the row ended. Rejects only on abort. */
async function finishRow(
  run: BatchRun,
  at: number,
  startedAt: number,
  captured: Settled<CapturedRow>,
  signal: AbortSignal,
): Promise<void> {
  const finished = 'value' in captured ? await settled(captured.value.finish()) : captured;
  const renderTimeMs = Math.round(run.now() - startedAt);
  if ('value' in finished) return run.end(at, finished.value, renderTimeMs);
  signal.throwIfAborted();
  return run.end(at, finished, renderTimeMs);
}
