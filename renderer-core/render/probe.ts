// The pages of one render: the composition assembled with its values, served, and its first page loaded and looked at.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CapturePage } from '../capture/capturePage.ts';
import type { LaunchedBrowser } from '../capture/launch.ts';
import { captureFiles, runtimeFile } from '../capture/pageScripts.ts';
import { UserError } from '../errors.ts';
import type { Encoder } from '../media/codecs.ts';
import { assemblePage, runtimePath } from '../plan/assemble.ts';
import { hasAlpha } from '../plan/formats.ts';
import { completePlan, type RenderPlan } from '../plan/plan.ts';
import type { LineShift } from '../plan/textEdits.ts';
import type { StoredFile } from '../project/remoteStore.ts';
import type { ProjectServer } from '../project/server.ts';
import { type CaptureJob, openReadyPage, remotePictureObstacle } from './captureChunks.ts';
import { openEarlyEncoder } from './earlyEncoder.ts';
import { pageFault } from './pageFault.ts';
import { namedRemoteFiles, prefetch } from './prefetch.ts';
import type { PreparedRender } from './prepare.ts';
import { type RemotePictures, serveRemotePictures } from './remotePictures.ts';
import type { RenderRequest } from './renderVideo.ts';
import { openSampleShots } from './sampleShots.ts';
import { type Browsers, type Session, type Site, withSession } from './session.ts';

export type Pages = Omit<CaptureJob, 'workers' | 'onFrames'> & {
  /** Why this page cannot be painted; null when it can. */
  paintObstacle: string | null;
  plan: RenderPlan;
  /** Closes what is still open of this render, and removes its folder. May be called again. */
  close(): Promise<void>;
};

/** What a render asks of its pages. */
export type PageOptions = Pick<RenderRequest, 'capture' | 'onEvent'>;

/** Where the pages are opened: both serve one render at a time. */
export type PagePlace = { session: Session; site: Site; browsers: Browsers };

/** Runs `use` in a session for this one render. */
export function withPages<T>(
  request: RenderRequest,
  prepared: PreparedRender,
  use: (pages: Pages) => Promise<T>,
): Promise<T> {
  request.onEvent?.({ type: 'stage', stage: 'launch', message: 'Starting the browser' });
  return withSession({ ...request, root: prepared.root }, async (session) => {
    const site = await session.openSite();
    const pages = await openPages(request, prepared, { session, site, browsers: session.openBrowsers(false) });
    return use(pages);
  });
}

/** Serves the composition and opens its first page, in a browser with WebGL when the project looks like it or the page asks. */
export async function openPages(options: PageOptions, prepared: PreparedRender, place: PagePlace): Promise<Pages> {
  const { session, site, browsers } = place;
  const encoder = await session.encoderFor(prepared.draft);
  const likely = [...prepared.graph.files.values()].some(({ text }) =>
    /webgl|three(\.module)?(\.min)?\.js/i.test(text),
  );
  const folder = await mkdtemp(join(session.workspace.folder, 'render-'));
  // What the page before asked for at last is not this one's fault.
  site.server.missing.length = 0;
  let lease = await browsers.lease(likely);
  const close = async () => {
    await lease.release();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };
  try {
    const pictures = await remotePictures(options, prepared, site, lease.launched);
    const shifts = serveComposition(site.server, prepared, pictures);
    const opening = { session, site, pictures, shifts, encoder, folder, close };
    const open = () => openFirstPage(options, prepared, { ...opening, lease });
    const { pages, lacksWebGl } = await open();
    if (!lacksWebGl || likely) return pages;
    for (const page of pages.ready) await page.close();
    await lease.release();
    lease = await browsers.lease(true);
    return (await open()).pages;
  } catch (error) {
    await close();
    throw error;
  }
}

async function remotePictures(
  options: PageOptions,
  { graph }: PreparedRender,
  site: Site,
  { browser }: LaunchedBrowser,
): Promise<RemotePictures> {
  if (site.pictures) return site.pictures;
  const named = namedRemoteFiles(graph, site.server.origin);
  let fetched = new Map<string, StoredFile>();
  if (named.size > 0) {
    const what = named.size === 1 ? 'one file' : `${named.size} files`;
    options.onEvent?.({ type: 'stage', stage: 'probe', message: `Fetching ${what} from other hosts` });
    fetched = await prefetch(named, site.remote, await browser.userAgent());
  }
  site.pictures = serveRemotePictures(site.server, fetched);
  return site.pictures;
}

type Opening = {
  session: Session;
  site: Site;
  pictures: RemotePictures;
  shifts: LineShift[];
  encoder: Encoder;
  folder: string;
  lease: { launched: LaunchedBrowser };
  close(): Promise<void>;
};

/** Opens the first page, which may be needed to know the plan's length. */
async function openFirstPage(
  options: PageOptions,
  prepared: PreparedRender,
  { session, site, pictures, shifts, encoder, folder, lease, close }: Opening,
): Promise<{ pages: Pages; lacksWebGl: boolean }> {
  const { draft } = prepared;
  const { ffmpeg, signal } = session;
  const { server, remote, network } = site;
  options.onEvent?.({ type: 'stage', stage: 'probe', message: `Loading ${draft.composition}` });
  const target = {
    origin: server.origin,
    path: `/${draft.composition.split('/').map(encodeURIComponent).join('/')}`,
    width: draft.width,
    height: draft.height,
    page: draft.page,
    rate: draft.fps,
    transparent: hasAlpha(draft),
  };
  const kind = options.capture === 'screenshot' ? 'plain' : 'paint';
  const check = (page: CapturePage): void => {
    const fault = pageFault(page, { server, remote, pictures, shifts }, prepared);
    if (fault) throw fault;
  };
  const job = { ffmpeg, encoder, signal, server, remote, network, launched: lease.launched, folder, target, check };
  let paintCrash: string | null = null;
  let { page, info } = await openReadyPage(job, kind).catch((error) => {
    // What the browser dies of when it draws a page into a canvas it may well show.
    const mayShow = kind === 'paint' && options.capture !== 'paint';
    if (!(mayShow && error instanceof UserError && error.code === 'page_crashed')) throw error;
    paintCrash = 'the page crashes when it is painted';
    return openReadyPage(job, 'plain');
  });
  if (!info.lacksWebGl) check(page);
  const paintObstacle = paintCrash ?? info.paintObstacle ?? remotePictureObstacle(page);
  if (kind === 'paint' && paintCrash === null && paintObstacle !== null && options.capture !== 'paint') {
    await page.close();
    ({ page, info } = await openReadyPage(job, 'plain'));
  }
  for (const message of info.warnings) options.onEvent?.({ type: 'warning', message });
  const plan = completePlan(draft, info.naturalDuration);
  const ready = [page];
  const shots = openSampleShots({ ...job, plan });
  const early = openEarlyEncoder({ ...job, plan });
  const closePages = async () => {
    early.end();
    await shots.close();
    for (const one of ready) await one.close();
    await close();
  };
  return {
    pages: { ...job, ready, shots, early, paintObstacle, plan, close: closePages },
    lacksWebGl: info.lacksWebGl,
  };
}

/** Returns what embedded files have made of the entry's lines. */
function serveComposition(server: ProjectServer, prepared: PreparedRender, pictures: RemotePictures): LineShift[] {
  const { graph, draft, files } = prepared;
  const page = assemblePage(graph, draft.variables, { ...files, fetched: pictures.pathOf }, draft);
  const javascript = 'text/javascript; charset=utf-8';
  server.setVirtual(`/${draft.composition}`, { body: page.html, type: 'text/html; charset=utf-8' });
  server.setVirtual(runtimePath, { file: runtimeFile, type: javascript, stays: true });
  for (const [path, body] of page.scripts) server.setVirtual(path, { body, type: javascript });
  for (const [path, file] of captureFiles) server.setVirtual(path, file);
  return page.shifts;
}
