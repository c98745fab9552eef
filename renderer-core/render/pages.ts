// What a render runs in: a workspace, the project's server, a browser with the composition's first page ready.
import { readFile } from 'node:fs/promises';
import type { CapturePage } from '../capture/capturePage.ts';
import { type FoundBrowser, findBrowser } from '../capture/findBrowser.ts';
import { type LaunchedBrowser, launchBrowser } from '../capture/launch.ts';
import { captureFiles, runtimeFile } from '../capture/pageScripts.ts';
import { readableMediaPath } from '../capture/protocol.ts';
import { UserError } from '../errors.ts';
import type { Encoder } from '../media/codecs.ts';
import { findEncoder } from '../media/findEncoder.ts';
import { findFfmpeg } from '../media/findFfmpeg.ts';
import { assemblePage, runtimePath } from '../plan/assemble.ts';
import { hasAlpha } from '../plan/formats.ts';
import { completePlan, type RenderPlan } from '../plan/plan.ts';
import { cacheRoot } from '../project/cacheFolder.ts';
import { openRemoteAssets, type RemoteAssets } from '../project/remoteAssets.ts';
import type { StoredFile } from '../project/remoteStore.ts';
import { type ProjectServer, startProjectServer } from '../project/server.ts';
import { type CaptureJob, openReadyPage, remotePictureObstacle } from './captureChunks.ts';
import { answerMedia } from './mediaRoute.ts';
import { pageFault } from './pageFault.ts';
import { namedRemoteFiles, prefetch } from './prefetch.ts';
import type { PreparedRender } from './prepare.ts';
import { type RemotePictures, serveRemotePictures } from './remotePictures.ts';
import type { RenderRequest } from './renderVideo.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

export type Pages = Omit<CaptureJob, 'folder' | 'workers' | 'onFrames'> & {
  workspace: Workspace;
  /** Why this page cannot be painted; null when it can. */
  paintObstacle: string | null;
  plan: RenderPlan;
};

/** Runs `use` with everything open, and closes all of it afterwards, whatever happens. */
export async function withPages<T>(
  request: RenderRequest,
  prepared: PreparedRender,
  use: (pages: Pages) => Promise<T>,
): Promise<T> {
  const signal = request.signal ?? new AbortController().signal;
  const emit = request.onEvent ?? (() => undefined);
  const browsers: LaunchedBrowser[] = [];
  const closing: (() => Promise<unknown>)[] = [];
  let work: Promise<T> | undefined;
  try {
    signal.throwIfAborted();
    emit({ type: 'stage', stage: 'launch', message: 'Starting the browser' });
    const workspace = await createWorkspace();
    closing.push(workspace.remove);
    const [encoding, found] = await Promise.all([
      openEncoder(request, prepared, signal),
      findBrowser({ signal, ...(request.browserPath === undefined ? {} : { path: request.browserPath }) }),
    ]);
    const server = await startProjectServer(prepared.root);
    closing.push(server.close);
    const remote = openRemoteAssets({ cache: cacheRoot(), origin: server.origin, signal });
    closing.push(async () => remote.close());
    const media = answerMedia({ server, remote, ffmpeg: encoding.ffmpeg, folder: workspace.folder, signal });
    server.setVirtual(readableMediaPath, media);
    const opened = { workspace, server, remote, ...encoding, signal };
    work = openPages(request, prepared, opened, found, browsers).then(use);
    return await untilAborted(work, signal);
  } catch (error) {
    if (signal.aborted)
      throw new UserError('cancelled', 'The render was cancelled; nothing was written.', { cause: error });
    throw error;
  } finally {
    await closeAll(browsers);
    // Without its browser the work ends soon; one that was only starting then is closed after it.
    await work?.catch(() => undefined);
    await closeAll(browsers);
    for (const close of closing.reverse()) await close().catch(() => undefined);
  }
}

async function closeAll(browsers: LaunchedBrowser[]): Promise<void> {
  for (const browser of browsers.splice(0)) await browser.close().catch(() => undefined);
}

type FoundEncoder = { ffmpeg: string; encoder: Encoder };
type Opened = FoundEncoder & {
  workspace: Workspace;
  server: ProjectServer;
  remote: RemoteAssets;
  signal: AbortSignal;
};

async function openEncoder(
  request: RenderRequest,
  prepared: PreparedRender,
  signal: AbortSignal,
): Promise<FoundEncoder> {
  const { ffmpegPath } = request;
  const { path } = await findFfmpeg({ signal, ...(ffmpegPath === undefined ? {} : { path: ffmpegPath }) });
  return { ffmpeg: path, encoder: await findEncoder(path, prepared.draft, signal) };
}

/** Starts the browser, with WebGL when the project looks like it or when the page turns out to ask for it. */
async function openPages(
  request: RenderRequest,
  prepared: PreparedRender,
  opened: Opened,
  found: FoundBrowser,
  browsers: LaunchedBrowser[],
): Promise<Pages> {
  const likely = [...prepared.graph.files.values()].some(({ text }) =>
    /webgl|three(\.module)?(\.min)?\.js/i.test(text),
  );
  const launch = async (webGl: boolean) => {
    const launched = await launchBrowser(found, opened.workspace.folder, webGl, opened.signal);
    browsers.push(launched);
    opened.signal.throwIfAborted();
    return launched;
  };
  const launched = await launch(likely);
  const named = namedRemoteFiles(prepared.graph, opened.server.origin);
  let fetched = new Map<string, StoredFile>();
  if (named.size > 0) {
    const what = named.size === 1 ? 'one file' : `${named.size} files`;
    request.onEvent?.({ type: 'stage', stage: 'probe', message: `Fetching ${what} from other hosts` });
    fetched = await prefetch(named, opened.remote, await launched.browser.userAgent());
  }
  const pictures = serveRemotePictures(opened.server, fetched);
  await serveComposition(opened.server, prepared, pictures);
  const { pages, lacksWebGl } = await openFirstPage(request, prepared, { ...opened, pictures, launched });
  if (!lacksWebGl || likely) return pages;
  await closeAll(browsers);
  return (await openFirstPage(request, prepared, { ...opened, pictures, launched: await launch(true) })).pages;
}

/** Opens the first page, which may be needed to know the plan's length. */
async function openFirstPage(
  request: RenderRequest,
  prepared: PreparedRender,
  opened: Opened & { launched: LaunchedBrowser; pictures: RemotePictures },
): Promise<{ pages: Pages; lacksWebGl: boolean }> {
  const { draft } = prepared;
  request.onEvent?.({ type: 'stage', stage: 'probe', message: `Loading ${draft.composition}` });
  const target = {
    origin: opened.server.origin,
    path: `/${draft.composition.split('/').map(encodeURIComponent).join('/')}`,
    width: draft.width,
    height: draft.height,
    rate: draft.fps,
    transparent: hasAlpha(draft),
  };
  const kind = request.capture === 'screenshot' ? 'plain' : 'paint';
  const check = (page: CapturePage): void => {
    const fault = pageFault(page, opened, prepared);
    if (fault) throw fault;
  };
  const job = { ...opened, target, check };
  let paintCrash: string | null = null;
  let { page, info } = await openReadyPage(job, kind).catch((error) => {
    // What the browser dies of when it draws a page into a canvas it may well show.
    const mayShow = kind === 'paint' && request.capture !== 'paint';
    if (!(mayShow && error instanceof UserError && error.code === 'page_crashed')) throw error;
    paintCrash = 'the page crashes when it is painted';
    return openReadyPage(job, 'plain');
  });
  if (!info.lacksWebGl) check(page);
  const paintObstacle = paintCrash ?? info.paintObstacle ?? remotePictureObstacle(page);
  if (kind === 'paint' && paintCrash === null && paintObstacle !== null && request.capture !== 'paint') {
    await page.close();
    ({ page, info } = await openReadyPage(job, 'plain'));
  }
  for (const message of info.warnings) request.onEvent?.({ type: 'warning', message });
  const plan = completePlan(draft, info.naturalDuration);
  return {
    pages: { ...job, ready: [page], paintObstacle, plan },
    lacksWebGl: info.lacksWebGl,
  };
}

async function serveComposition(
  server: ProjectServer,
  prepared: PreparedRender,
  pictures: RemotePictures,
): Promise<void> {
  const { graph, draft, files } = prepared;
  const page = assemblePage(graph, draft.variables, { ...files, fetched: pictures.pathOf }, draft);
  const runtime = await readFile(runtimeFile, 'utf8');
  const javascript = 'text/javascript; charset=utf-8';
  // Parsed, not written as a literal: there a key `__proto__` of a value would set its prototype.
  const config = `window.__frameworkConfig=JSON.parse(${JSON.stringify(JSON.stringify(page.config))});`;
  server.setVirtual(`/${draft.composition}`, { body: page.html, type: 'text/html; charset=utf-8' });
  server.setVirtual(runtimePath, { body: `${config}\n${runtime}`, type: javascript });
  for (const [path, body] of page.scripts) server.setVirtual(path, { body, type: javascript });
  for (const [path, file] of captureFiles) server.setVirtual(path, file);
}

/** Closing the browser ends all work in it; what waits for something else must not keep an aborted render alive. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
