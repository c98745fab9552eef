// Renders rows one after another in one browser; the page of the next row loads while this one's is captured.
import { UserError } from '../errors.ts';
import { openOutput } from './output.ts';
import { openPages, type PagePlace, type Pages } from './pages.ts';
import type { PreparedRender } from './prepare.ts';
import type { BatchRequest } from './renderBatch.ts';
import { renderPages } from './renderPages.ts';
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
    try {
      const sample = (frames: number[]) => (isProven ? [frames[index % frames.length] ?? 0] : frames);
      const report: RenderReport = await renderRow(run, current, { begun, lookAhead, sample });
      isProven = report.capture.path === 'paint';
      await run.end(index, { report }, elapsed(begun));
    } catch (error) {
      signal.throwIfAborted();
      isProven = false;
      await run.end(index, { error }, elapsed(begun));
    }
    lookAhead();
    if (ahead) ahead = await reopened(ahead, start, site);
    current = ahead;
  }
  if (current) await current.pages.then(({ close }) => close()).catch(() => undefined);
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

async function renderRow(
  { request, warn }: RowRun,
  { index, prepared, pages: opening, warnings }: Opening,
  { begun, lookAhead, sample }: RowTurn,
): Promise<RenderReport> {
  const output = await openOutput(prepared.draft.output, prepared.draft.format === 'png');
  try {
    const pages = await opening;
    try {
      for (const message of warnings) warn(index, message);
      const emit = (event: RenderEvent) => {
        // The page has what it needs: from now on there is time for the next row's.
        if (event.type === 'frames') lookAhead();
        if (event.type !== 'warning') return;
        warnings.push(event.message);
        warn(index, event.message);
      };
      return await renderPages({ ...request, sample }, pages, output, { started: begun, warnings, emit });
    } finally {
      await pages.close().catch(() => undefined);
    }
  } finally {
    await output.discard();
  }
}
