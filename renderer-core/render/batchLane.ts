// Renders rows one after another in one browser; the page of the next row loads while this one's is captured.
import { UserError } from '../errors.ts';
import { openOutput } from './output.ts';
import { openPages, type PagePlace, type Pages } from './pages.ts';
import type { PreparedRender } from './prepare.ts';
import type { BatchRequest } from './renderBatch.ts';
import { capturePages } from './renderPages.ts';
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
type Opening = { index: number; prepared: PreparedRender; site: Site; pages: Promise<Pages>; warnings: string[] };

/** Takes rows until there are none. Rejects only when the session's signal is aborted. */
export async function runLane(
  session: Session,
  run: RowRun,
  take: () => number | undefined,
  stopped: AbortSignal,
): Promise<void> {
  const { signal } = session;
  const browsers = session.openBrowsers(true);
  const sites = [await session.openSite(), await session.openSite()];
  // The rows show one composition: once all samples of a row agree, the others compare one each, a different one in turn.
  let isProven = false;
  const start = (index: number, site: Site): Opening => {
    const warnings: string[] = [];
    const prepared = run.prepare(index);
    const onEvent = (event: RenderEvent) => {
      if (event.type === 'warning') warnings.push(event.message);
    };
    const place: PagePlace = { session, site, browsers };
    const pages = openPages({ ...captureOf(run.request), onEvent }, prepared, place);
    // A page that fails to load is its row's failure, when its turn comes.
    pages.catch(() => undefined);
    return { index, prepared, site, pages, warnings };
  };
  const next = (site: Site): Opening | undefined => {
    const index = take();
    return index === undefined ? undefined : start(index, site);
  };

  let current = sites[0] && next(sites[0]);
  let finishing: Promise<void> = Promise.resolve();
  try {
    while (current && !stopped.aborted) {
      signal.throwIfAborted();
      const { index, site }: Opening = current;
      const begun = performance.now();
      await run.begin(index);
      let ahead: Opening | undefined;
      const lookAhead = () => {
        const other = sites.find((one) => one !== site);
        if (other && !stopped.aborted) ahead ??= next(other);
      };
      const sample = (frames: number[]) => (isProven ? [frames[index % frames.length] ?? 0] : frames);
      const captured = await settled(captureRow(run, current, { begun, lookAhead, sample }));
      isProven = 'value' in captured && captured.value.isPainted;
      // The file is made while the next row is captured; one at a time, so that a slow disk holds the rows back.
      await finishing;
      finishing = finishRow(run, index, begun, captured, signal);
      finishing.catch(() => undefined);
      // With these, whether there is a next row depends on how this one ends.
      if (run.request.failFast || !('value' in captured)) await finishing;
      lookAhead();
      current = ahead && (await reopened(ahead, start, site));
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

type CapturedRow = { isPainted: boolean; finish(): Promise<RenderReport> };

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
async function reopened(ahead: Opening, start: (index: number, site: Site) => Opening, site: Site): Promise<Opening> {
  const pages = await ahead.pages.catch((error: unknown) => error);
  const isLost =
    pages instanceof Error
      ? pages instanceof UserError && pages.code === 'browser_failed'
      : !(pages as Pages).launched.browser.connected;
  if (!isLost) return ahead;
  if (!(pages instanceof Error)) await (pages as Pages).close().catch(() => undefined);
  return start(ahead.index, site);
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
    const output = await openOutput(prepared.draft.output, prepared.draft.format === 'png');
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
    const { path, finish } = await capturePages({ ...request, sample }, pages, output, {
      started: begun,
      warnings,
      emit,
    });
    return { isPainted: path === 'paint', finish: () => finish().finally(close) };
  } catch (error) {
    await close();
    throw error;
  }
}
