// Renders rows one after another in one browser; the page of the next row loads while this one's is captured.
import { UserError } from '../errors.ts';
import { paintedInput } from './captureChunks.ts';
import { openOutput } from './output.ts';
import { openPages, type PagePlace, type Pages } from './pages.ts';
import type { PreparedRender } from './prepare.ts';
import type { BatchRequest } from './renderBatch.ts';
import { capturePages, sampleFrames } from './renderPages.ts';
import type { RenderEvent, RenderReport } from './renderVideo.ts';
import type { Session, Site } from './session.ts';

/** What a lane is told of its rows, and tells of them. */
export type RowRun = {
  request: BatchRequest;
  prepare(index: number): PreparedRender;
  begin(index: number): Promise<void>;
  end(index: number, outcome: { report: RenderReport } | { error: unknown }, renderTimeMs: number): Promise<void>;
  warn(index: number, message: string): void;
};

/** A row whose page is being opened. `elapsed`: milliseconds that this took, of the row's own time. */
type Opening = { index: number; prepared: PreparedRender; slot: Slot; pages: Promise<Pages>; warnings: string[] };

/** A site, and the promise that the row before has left it. */
type Slot = { site: Site; left: Promise<unknown> };

/** The rows show one composition: once all samples of a row agree, the others compare one each, a different one in turn. */
const oneOf = (frames: readonly number[], index: number): number[] => [frames[index % frames.length] ?? 0];

/** Takes rows until there are none. Rejects only when the session's signal is aborted. */
export async function runLane(
  session: Session,
  run: RowRun,
  take: () => number | undefined,
  stopped: AbortSignal,
): Promise<void> {
  const { signal } = session;
  const browsers = session.openBrowsers(true);
  const slots = await Promise.all(
    [0, 1].map(async () => ({ site: await session.openSite(), left: Promise.resolve() })),
  );
  let isProven = false;
  const start = (index: number, slot: Slot): Opening => {
    const warnings: string[] = [];
    const prepared = run.prepare(index);
    const onEvent = (event: RenderEvent) => {
      if (event.type === 'warning') warnings.push(event.message);
    };
    const place: PagePlace = { session, site: slot.site, browsers };
    const pages = slot.left.then(() => openPages({ ...captureOf(run.request), onEvent }, prepared, place));
    // A page that fails to load is its row's failure, when its turn comes.
    pages.catch(() => undefined);
    return { index, prepared, slot, pages, warnings };
  };
  const next = (slot: Slot): Opening | undefined => {
    const index = take();
    return index === undefined ? undefined : start(index, slot);
  };
  const nextAhead = (slot: Slot): Opening | undefined => {
    const opening = next(slot);
    opening?.pages.then((pages) => makeReady(run.request, pages, opening.index)).catch(() => undefined);
    return opening;
  };

  let current = slots[0] && next(slots[0]);
  let finishing: Promise<void> = Promise.resolve();
  try {
    while (current && !stopped.aborted) {
      signal.throwIfAborted();
      const { index, slot }: Opening = current;
      const begun = performance.now();
      await run.begin(index);
      let ahead: Opening | undefined;
      const lookAhead = () => {
        const other = slots.find((one) => one !== slot);
        if (other && !stopped.aborted) ahead ??= nextAhead(other);
      };
      const sample = (frames: number[]) => (isProven ? oneOf(frames, index) : frames);
      const captured = await settled(captureRow(run, current, { begun, lookAhead, sample }));
      isProven = 'value' in captured && captured.value.isPainted;
      if ('value' in captured) slot.left = captured.value.left;
      // The file is made while the next row is captured; one at a time, so that a slow disk holds the rows back.
      await finishing;
      finishing = finishRow(run, index, begun, captured, signal);
      finishing.catch(() => undefined);
      // With these, whether there is a next row depends on how this one ends.
      if (run.request.failFast || !('value' in captured)) await finishing;
      lookAhead();
      current = ahead && (await reopened(ahead, start));
    }
  } finally {
    // Also when the lane ends early: what is half made is taken away before the session ends.
    await finishing.catch(() => undefined);
  }
  await finishing;
  if (current) await current.pages.then(({ close }) => close()).catch(() => undefined);
}

type Settled<T> = { value: T } | { error: unknown };

const settled = <T>(work: Promise<T>): Promise<Settled<T>> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** `left`: when its pages are closed. */
type CapturedRow = { isPainted: boolean; left: Promise<unknown>; finish(): Promise<RenderReport> };

/**
 * Starts the row's encoder, and takes the sample that most rows compare, as long as another row is captured. Long rows have
 * time for it themselves.
 */
function makeReady({ capture = 'auto' }: BatchRequest, pages: Pages, index: number): void {
  const { plan, paintObstacle, shots, early } = pages;
  if (capture === 'screenshot' || (capture === 'auto' && paintObstacle !== null) || plan.chunks.length > 1) return;
  early.start(paintedInput(pages));
  if (capture === 'auto') shots.take(oneOf(sampleFrames(plan), index));
}

/** Makes the row's file of what was captured, and tells how the row ended. Rejects only on abort. */
async function finishRow(
  run: RowRun,
  index: number,
  begun: number,
  captured: Settled<CapturedRow>,
  signal: AbortSignal,
): Promise<void> {
  const made = 'value' in captured ? await settled(captured.value.finish()) : captured;
  if ('value' in made) return run.end(index, { report: made.value }, elapsed(begun));
  signal.throwIfAborted();
  return run.end(index, made, elapsed(begun));
}

const elapsed = (since: number): number => Math.round(performance.now() - since);

const captureOf = ({ capture }: BatchRequest) => (capture === undefined ? {} : { capture });

/** The browser may have died of the row before, and taken this one's page with it. */
async function reopened(ahead: Opening, start: (index: number, slot: Slot) => Opening): Promise<Opening> {
  const pages = await ahead.pages.catch((error: unknown) => error);
  const isLost =
    pages instanceof Error
      ? pages instanceof UserError && pages.code === 'browser_failed'
      : !(pages as Pages).launched.browser.connected;
  if (!isLost) return ahead;
  if (!(pages instanceof Error)) await (pages as Pages).close().catch(() => undefined);
  return start(ahead.index, ahead.slot);
}

type RowTurn = { begun: number; lookAhead: () => void; sample: (frames: number[]) => number[] };

/** Captures the row's frames. Whatever happens, nothing is left open once it has failed or its `finish` has ended. */
async function captureRow(
  { request, warn }: RowRun,
  { index, prepared, pages: opening, warnings }: Opening,
  { begun, lookAhead, sample }: RowTurn,
): Promise<CapturedRow> {
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const one of closing) await one().catch(() => undefined);
  };
  try {
    closing.push(() => opening.then((pages) => pages.close()));
    const output = await openOutput(prepared.draft.output, prepared.draft.format === 'png', true);
    closing.push(output.discard);
    const pages = await opening;
    for (const message of warnings) warn(index, message);
    const emit = (event: RenderEvent) => {
      // The page has what it needs: from now on there is time for the next row's.
      if (event.type === 'frames') lookAhead();
      if (event.type !== 'warning') return;
      warnings.push(event.message);
      warn(index, event.message);
    };
    const { path, left, finish } = await capturePages({ ...request, sample }, pages, output, {
      started: begun,
      warnings,
      emit,
    });
    return { isPainted: path === 'paint', left, finish: () => finish().finally(close) };
  } catch (error) {
    await close();
    throw error;
  }
}
