// Stage 3, probe: serves the composition with its values, opens its first page, and learns from the page what the plan
// still lacks: the length, and whether it can be painted.

import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CapturePage } from '../capture/capturePage.ts';
import type { LaunchedBrowser } from '../capture/launch.ts';
import type { ScriptLocation } from '../capture/pageErrors.ts';
import type { ShownTime } from '../capture/samples.ts';
import { UserError } from '../errors.ts';
import type { Encoder } from '../media/codecs.ts';
import { isLibrary } from '../media/ffmpeg.ts';
import { startSegment } from '../media/segment.ts';
import { frameTime } from '../model/frameGrid.ts';
import type { ProjectGraph } from '../model/graph.ts';
import { sourceFileOf, sourcePosition } from '../page/assemble/sourceFiles.ts';
import type { TextShift } from '../page/assemble/textEdits.ts';
import { expectedOf, mergeNeeds } from '../page/features/features.ts';
import { mergeTraits, type PageTraits } from '../page/features/pageTraits.ts';
import type { HostValueProblem, PageNeeds } from '../page/runtime/page.ts';
import type { PageFonts } from '../plan/fonts/pageFonts.ts';
import { hasAlpha } from '../plan/formats.ts';
import { completePlan, firstFrameOf } from '../plan/plan.ts';
import type { RenderPlan } from '../plan/renderPlan.ts';
import { assertNoValueProblems, locatedMessage } from '../plan/valueProblems.ts';
import type { ProjectServer } from '../project/serve/projectServer.ts';
import type { Engine } from '../reports/engine.ts';
import type { SourceLocation } from '../reports/errorJson.ts';
import { engineWarning } from '../setup/pinnedEngine.ts';
import { brokenFileError, missingFilesError, unfinishedError, unloadedFileError } from './assetErrors.ts';
import { locateUrl } from './assetReferences.ts';
import { crashObstacle, openReadyPage, orClose, remoteImageObstacle } from './readyPage.ts';
import { namedRemoteFiles, prefetch, type RemoteImages, serveRemoteImages } from './remoteFiles.ts';
import { openSampleFrames } from './sampleFrames.ts';
import { servePage } from './servePage.ts';
import type { Site } from './session.ts';
import type { PreparedRender, ProbedRender, RenderPlace, RenderRequest } from './types.ts';

export type ProbeOptions = Pick<RenderRequest, 'capture' | 'chunkFrames' | 'strictVariables' | 'onEvent'> & {
  /** Plans one frame for a composition without a duration, which other compositions embed. For images. */
  allowsStill?: boolean;
};

/**
 * Opens the first page, in a browser with what the project seems to need or the page asks for. Throws UserError
 * for errors of the page and its files. The caller closes the result.
 */
export async function probe(
  options: ProbeOptions,
  prepared: PreparedRender,
  place: RenderPlace,
): Promise<ProbedRender> {
  const { session, site, browsers } = place;
  const encoder = await session.encoderFor(prepared.draft);
  const { needs } = expectedOf(prepared.graph, session.featuresOff);
  const folder = await mkdtemp(join(session.workspace.folder, 'render-'));
  // Forget the files of the previous render.
  site.server.missing.length = 0;
  site.server.reads.begin();
  const { timezone, locale } = prepared.draft;
  const settings = { timezone, locale };
  let lease = await browsers.lease({ ...settings, ...needs });
  const engine = session.engineOf(lease.launched);
  const warning = session.isFirst() ? engineWarning(engine, isLibrary(session.ffmpeg.path)) : undefined;
  if (warning !== undefined) options.onEvent?.({ type: 'warning', message: warning });
  const close = async () => {
    await lease.release();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };
  try {
    const images = await fetchRemoteImages(options, prepared, site, lease.launched);
    const emit = options.onEvent ?? (() => undefined);
    const { shifts, fonts } = await servePage(site.server, prepared, images, session, emit);
    const opening = { ...place, engine, images, shifts, fonts, encoder, folder, close };
    const open = () => openFirstPage(options, prepared, { ...opening, launched: lease.launched });
    const { probed, missing } = await open();
    // What was expected and is missing cannot be had.
    if (!missing.graphics3d || needs.graphics3d) return probed;
    for (const page of probed.ready) await page.close();
    await lease.release();
    lease = await browsers.lease({ ...settings, ...mergeNeeds(needs, missing) });
    return (await open()).probed;
  } catch (error) {
    await close();
    throw error;
  }
}

/** The rows of a batch share a site, and each fetches the files that only its values name. */
async function fetchRemoteImages(
  options: ProbeOptions,
  { graph, draft }: PreparedRender,
  site: Site,
  { browser }: LaunchedBrowser,
): Promise<RemoteImages> {
  const named = namedRemoteFiles(graph, draft.variables, site.server.origin);
  const missing = new Map([...named].filter(([url]) => !site.remoteFiles.has(url)));
  if (missing.size > 0) {
    const files = missing.size === 1 ? 'one file' : `${missing.size} files`;
    options.onEvent?.({ type: 'stage', stage: 'probe', message: `Fetching ${files} from other hosts` });
    const fetched = await prefetch(missing, site.remote, await browser.userAgent());
    for (const [url, file] of fetched) site.remoteFiles.set(url, file);
  }
  return serveRemoteImages(site.server, site.remoteFiles);
}

type Opening = RenderPlace & {
  engine: Engine;
  images: RemoteImages;
  shifts: TextShift[];
  fonts: PageFonts | null;
  encoder: Encoder;
  folder: string;
  launched: LaunchedBrowser;
  close(): Promise<void>;
};

async function openFirstPage(
  options: ProbeOptions,
  prepared: PreparedRender,
  { session, site, engine, images, shifts, fonts, encoder, folder, launched, close }: Opening,
): Promise<{ probed: ProbedRender; missing: Partial<PageNeeds> }> {
  const { draft, graph } = prepared;
  const { ffmpeg, signal } = session;
  const { featuresOff } = session;
  const features = { featuresOff, traits: expectedOf(graph, featuresOff).traits };
  const { server, remote, isOpen } = site;
  options.onEvent?.({ type: 'stage', stage: 'probe', message: `Loading ${draft.composition}` });
  const target = {
    origin: server.origin,
    path: `/${draft.composition.split('/').map(encodeURIComponent).join('/')}`,
    width: draft.width,
    height: draft.height,
    page: draft.page,
    rate: draft.fps,
    firstFrame: firstFrameOf(draft),
    transparent: hasAlpha(draft),
  };
  const check = (page: CapturePage): void => {
    const error = pageError(page, site, images, shifts, prepared);
    if (error) throw error;
  };
  const job = {
    graph,
    fonts,
    ffmpeg,
    encoder,
    signal,
    features,
    server,
    remote,
    isOpen,
    launched,
    folder,
    target,
    check,
  };
  const kind = options.capture === 'screenshot' ? 'plain' : 'paint';
  // A page that crashes the browser when it is drawn into a canvas may still be shown. One that was killed, because memory was
  // short for a moment, is painted all the same.
  const afterCrash =
    <T>(next: () => Promise<T>) =>
    (error: unknown): Promise<T> => {
      const canFallBack = kind === 'paint' && options.capture !== 'paint';
      if (!(canFallBack && error instanceof UserError && error.code === 'page_crashed')) throw error;
      return next();
    };
  let crash: string | null = null;
  let { page, info } = await openReadyPage(job, kind)
    .catch(afterCrash(() => openReadyPage(job, kind)))
    .catch(
      afterCrash(() => {
        crash = crashObstacle;
        options.onEvent?.({ type: 'warning', message: fallbackWarning(crash) });
        return openReadyPage(job, 'plain');
      }),
    );
  await orClose(page, () => {
    checkHostValues(info.valueProblems, options);
    if (!info.missing.graphics3d) check(page);
  });
  const paintObstacle = crash ?? info.paintObstacle ?? remoteImageObstacle(page);
  if (kind === 'paint' && crash === null && paintObstacle !== null && options.capture !== 'paint') {
    await page.close();
    ({ page, info } = await openReadyPage(job, 'plain'));
  }
  const fontWarnings = [...site.fontWarnings].map(([url, message]) => locatedWarning(url, message, server, prepared));
  for (const message of [...info.valueProblems.map(locatedMessage), ...info.warnings, ...fontWarnings])
    options.onEvent?.({ type: 'warning', message });
  const still = options.allowsStill ? frameTime(1, draft.fps) : null;
  const plan = completePlan(draft, info.naturalDuration || still, options.chunkFrames, info.endless);
  const ready = [page];
  const { clips, missing } = info;
  const traits = traitsOf(graph, features.traits, info.traits);
  const samples = openSampleFrames({ ...job, plan }, traits);
  const closeAll = async () => {
    await samples.close();
    for (const one of ready) await one.close();
    await close();
  };
  const shown = clips.map((clip) => inVideo(clip, plan));
  const facts = { paintObstacle, traits, clips: shown, plan };
  return { probed: { ...job, ...facts, engine, ready, samples, startSegment, close: closeAll }, missing };
}

/** The traits of a page, as its text and the page itself show them. */
function traitsOf(graph: ProjectGraph, ...found: PageTraits[]): PageTraits {
  const hasScripts = [...graph.files.values()].some(({ scripts }) => scripts.length > 0);
  const traits = mergeTraits(...found);
  // Scripts could use other features later.
  return { ...traits, needsOneSample: traits.needsOneSample && !hasScripts };
}

/** Times of the composition as times of a video that starts later. */
function inVideo({ start, end }: ShownTime, { firstFrame = 0, fps }: RenderPlan): ShownTime {
  const offset = frameTime(firstFrame, fps);
  return { start: start - offset, end: end === null ? null : end - offset };
}

export const fallbackWarning = (reason: string): string => `Falling back to screenshots, which are slower: ${reason}`;

function locatedWarning(url: string, message: string, { origin }: ProjectServer, prepared: PreparedRender): string {
  const place = locateUrl(prepared, url, origin)?.place;
  return place ? `${place.file}:${place.line}:${place.column}: ${message}` : message;
}

/** Throws UserError for values that scripts have set on hosts, if they cannot be read or checking is strict. */
function checkHostValues(problems: readonly HostValueProblem[], { strictVariables }: ProbeOptions): void {
  const malformed = problems.find(({ isMalformed }) => isMalformed);
  if (malformed) throw new UserError('composition_invalid', malformed.message, { place: malformed.place });
  if (strictVariables) assertNoValueProblems(problems);
}

/** The first problem that makes the page's frames wrong: a file that is missing or unusable, or an exception in a script. */
function pageError(
  page: CapturePage,
  { server, remote }: Site,
  images: RemoteImages,
  shifts: TextShift[],
  prepared: PreparedRender,
): UserError | undefined {
  const placeOf = (location: ScriptLocation) => placeInProject(location, server.origin, prepared.graph.entry, shifts);
  const callerOf = (url: string) => {
    const caller = page.callerOf(new URL(url, server.origin).href);
    return caller && placeOf(caller);
  };
  const missing = missingFilesError(server, prepared, callerOf);
  if (missing) return missing;
  const unloaded = page.unloaded();
  if (unloaded) return unloadedFileError(unloaded, remote.failure(unloaded.url), server, prepared);
  const broken = page.broken();
  if (broken) return brokenFileError({ ...broken, url: images.originalOf(broken.url) }, server, prepared);
  const unfinished = page.unfinished();
  if (unfinished) return unfinishedError(unfinished, server, callerOf);
  const failure = page.failure();
  if (!failure) return undefined;
  return new UserError('script_error', `A script of the composition failed: ${failure.message}`, {
    hint: 'Open the composition in a browser to see the error in its console.',
    place: placeOf(failure),
  });
}

/** The location in the author's file. `shifts` are those of the page of the composition `entry`. */
function placeInProject(location: ScriptLocation, origin: string, entry: string, shifts: TextShift[]): SourceLocation {
  const path = location.url?.startsWith(`${origin}/`) ? new URL(location.url).pathname : undefined;
  if (path === undefined) return { file: entry };
  if (location.line === undefined) return { file: sourceFileOf(path) };
  const at = { line: location.line, column: location.column ?? 1 };
  return { file: sourceFileOf(path), ...sourcePosition(path, at, entry, shifts) };
}
