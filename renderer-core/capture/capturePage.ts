// One page of the browser with a composition in it: opens it, watches it for errors, and calls its in-page script.
import { type Dialog, type HTTPRequest, type HTTPResponse, type Page, TimeoutError } from 'puppeteer-core';
import { UserError } from '../errors.ts';
import type { FrameRate } from '../model/frameGrid.ts';
import type { FeaturesOff } from '../page/features/features.ts';
import type { PageTraits } from '../page/features/pageTraits.ts';
import { assetErrorPrefix, type BrokenAsset, loadingErrorPrefix, type UnfinishedWork } from '../page/runtime/page.ts';
import type { PageSize } from '../plan/resolution.ts';
import type { ProjectServer } from '../project/serve/projectServer.ts';
import { canOpenPages } from './browserProcesses.ts';
import type { LaunchedBrowser } from './launch.ts';
import type { CaptureApi } from './page/inPage.ts';
import {
  browserEnded,
  inPageError,
  isAuthors,
  jsonAfter,
  locationOf,
  notLoaded,
  type PageFailure,
  pageFailure,
  type ScriptLocation,
} from './pageErrors.ts';
import { inspectScript } from './pageScripts.ts';
import type { StageOptions } from './protocol.ts';
import { answerRemoteRequests, type PageServices } from './remoteRequests.ts';
import { whileResponding } from './responding.ts';
import { closeTab, isReusable, keepTab, readyTimeoutMs, type Tab, takeTab } from './warmPages.ts';

export type CaptureTarget = {
  /** Origin of the project server, and the path of the assembled composition on it. */
  origin: string;
  path: string;
  width: number;
  height: number;
  /** The composition's own size, and the factor by which the frame enlarges it. */
  page: PageSize;
  rate: FrameRate;
  /** The frame of the composition that is frame 0 of the video. */
  firstFrame: number;
  /** Whether transparent areas of the page stay transparent, for formats with alpha. */
  transparent: boolean;
  /** Whether frames are painted in half floats, for videos of 10 bits and HDR images. */
  deep: boolean;
  /** Whether the video is HDR. */
  hdr: boolean;
  /** Whether an odd side gets one more pixel. Video is encoded in blocks of two by two pixels. */
  padded: boolean;
};

export type CapturePage = {
  tab: Tab;
  /** Calls a function of the in-page script. Rejects with the page's own error if there is one. */
  call<Name extends keyof CaptureApi>(
    name: Name,
    ...args: Parameters<CaptureApi[Name]>
  ): Promise<Awaited<ReturnType<CaptureApi[Name]>>>;
  /** Waits for another answer of the browser. Rejects when the page or the browser ends, because it never answers then. */
  guard<T>(answer: Promise<T>): Promise<T>;
  /** The first uncaught exception of the composition's scripts. */
  failure(): PageFailure | undefined;
  /** Where a script has requested a URL. */
  callerOf(url: string): ScriptLocation | undefined;
  /** The first file from another host that could not be loaded, and why. */
  unloaded(): { url: string; reason: string } | undefined;
  /** The first image or font that exists but cannot be used. */
  broken(): BrokenAsset | undefined;
  /** What scripts have started and a frame has waited for too long. */
  unfinished(): UnfinishedWork | undefined;
  /** The first image or video from another host: the browser leaves it out when it draws an element into a canvas. */
  remoteImage(): string | undefined;
  /** Resolves when the composition was removed from the page, and never rejects. May be called more than once. */
  close(): Promise<void>;
};

/** How long a page may take to remove its composition. Otherwise its tab is closed. */
const leaveTimeoutMs = 5_000;

/** Requests whose failure changes the frames. Scripts handle the failure of what they fetch themselves. */
const visibleResources = new Set<string>(['document', 'stylesheet', 'image', 'media', 'font', 'script']);

export function canvasSize({ width, height, padded }: CaptureTarget): { width: number; height: number } {
  const sized = (side: number) => (padded ? side + (side % 2) : side);
  return { width: sized(width), height: sized(height) };
}

/**
 * A page around compositions: one that paints them into a canvas, or one that shows them like any page. `script`: path of
 * another script of the product that runs in it.
 */
export type CapturePageKind = { path: string; canvas: boolean; isReusable: boolean; script?: string };

export const pageKinds = {
  paint: { path: '/__framework/paint.html', canvas: true, isReusable: true },
  /** For screenshots that are only compared with painted frames. */
  sample: { path: '/__framework/sample.html', canvas: false, isReusable: true },
  /** For screenshots that become frames: how Chrome scales layers may depend on what its page has shown before. */
  plain: { path: '/__framework/plain.html', canvas: false, isReusable: false },
  /** Reports what it shows, see `check/page/inspect.ts`. */
  check: { path: '/__framework/check.html', canvas: false, isReusable: true, script: inspectScript },
} as const satisfies Record<string, CapturePageKind>;

/** The document into which its script puts a composition; with `canvas`, inside a canvas that can draw it. */
function capturePageHtml(
  target: CaptureTarget,
  { canvas, script }: CapturePageKind,
  { featuresOff, traits }: PageFeatures,
): string {
  const { width, height, page, rate, firstFrame, transparent, deep, hdr } = target;
  const options: StageOptions = {
    ...{ width, height, page, rate, firstFrame, transparent, deep, hdr },
    canvas: canvas ? canvasSize(target) : null,
    ...{ featuresOff, traits },
  };
  const json = JSON.stringify(options).replaceAll('"', '&quot;');
  const scripts = [...(script === undefined ? [] : [script]), '/__framework/inPage.js']
    .map((path) => `<script src="${path}"></script>`)
    .join('');
  return `<!doctype html><html data-options="${json}"><meta charset="utf-8"><style>html,body{margin:0;background:transparent;overflow:hidden}</style><body>${scripts}</body></html>`;
}

/** `traits`: what the files of the project show about the page. */
export type PageFeatures = { featuresOff: FeaturesOff; traits: PageTraits };

export type CaptureServices = PageServices & { features: PageFeatures };

/** Opens a tab, or reuses one, and loads the composition. Throws UserError. */
export async function openCapturePage(
  launched: LaunchedBrowser,
  target: CaptureTarget,
  kind: CapturePageKind,
  services: CaptureServices,
): Promise<CapturePage> {
  const html = capturePageHtml(target, kind, services.features);
  const address = `${target.origin}${kind.path}`;
  const pageId = `${address} ${html}`;
  const tab = await takeTab(launched, pageId);
  const { page, session } = tab;
  const events = watchPage(tab, target.origin, services.server);
  const place = { file: decodeURIComponent(target.path).replace(/^\//, '') };
  const end = watchEnd(launched, page);
  // `guard` reports it; until its first call, the rejection must not count as unhandled.
  end.ended.catch(() => undefined);
  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await Promise.race([work, end.ended]);
    } catch (error) {
      throw explain(error, launched, events.state, place);
    }
  };
  const call: CapturePage['call'] = (name, ...args) =>
    guard(
      whileResponding(
        session,
        place,
        page.evaluate(
          (key, values) =>
            (window as unknown as { __capture: Record<string, (...all: unknown[]) => unknown> }).__capture[key]?.(
              ...values,
            ),
          name,
          args,
        ),
      ),
    ) as never;

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= leave();
    return closing;
  };
  const leave = async (): Promise<void> => {
    const { crashed, failure } = events.state;
    const isKept = kind.isReusable && isReusable(launched, tab) && !crashed && !failure;
    // A tab may show another composition only after everything of this one has been removed.
    // A browser that ends meanwhile never answers, nor does a page whose script never ends.
    const left = isKept
      ? await Promise.race([inTime(page.evaluate(leavePage), leaveTimeoutMs), end.ended]).catch(() => null)
      : null;
    end.unwatch();
    events.unwatch();
    tab.loaded = left?.isAsBefore ? pageId : undefined;
    if (tab.loaded) keepTab(launched, tab);
    else await closeTab(tab);
  };
  const load = async (): Promise<void> => {
    await setViewport(tab, target);
    await stopAnimations(tab);
    await answerRemoteRequests(session, services, events.onRemoteImage);
    if (tab.loaded !== pageId) {
      services.server.setVirtual(kind.path, { body: html, type: 'text/html' });
      await page.goto(address, { waitUntil: 'load', timeout: readyTimeoutMs });
    }
    tab.loaded = undefined;
    tab.shown++;
    await inTime(call('load', target.path));
  };

  try {
    await guard(load());
  } catch (error) {
    await close();
    if (!(error instanceof TimeoutError)) throw error;
    throw (await canOpenPages(launched.browser)) ? notLoaded(place) : browserEnded(error);
  }
  const { state } = events;
  return {
    tab,
    call,
    guard,
    failure: () => state.failure,
    callerOf: (url) => state.callers.get(url),
    unloaded: () => state.unloaded,
    broken: () => state.broken,
    unfinished: () => state.unfinished,
    remoteImage: () => state.remoteImage,
    close,
  };
}

/**
 * Stops the real time of animations, in all documents of the tab. The runtime moves them, but it may find a new one after
 * the compositor has started it, and the compositor would show it where it was then.
 */
async function stopAnimations({ session }: Tab): Promise<void> {
  await session.send('Animation.enable');
  await session.send('Animation.setPlaybackRate', { playbackRate: 0 });
}

/** The first problem of each kind that has occurred in a page. */
type PageState = {
  failure?: PageFailure;
  unloaded?: { url: string; reason: string };
  broken?: BrokenAsset | undefined;
  unfinished?: UnfinishedWork | undefined;
  remoteImage?: string;
  crashed: boolean;
  /** The scripts that have requested a URL, by URL. */
  callers: Map<string, ScriptLocation>;
};

/** Records the page's problems in `state`, until `unwatch`. */
function watchPage({ page, session }: Tab, origin: string, server: ProjectServer) {
  const state: PageState = { crashed: false, callers: new Map() };
  const isOwn = (url: string) => url.startsWith(`${origin}/`);
  // A dialog would block the page until someone closes it. It disappears with its page.
  const onDialog = (dialog: Dialog) => void dialog.dismiss().catch(() => undefined);
  // Includes what the browser takes from its cache without asking the server.
  const onRequest = (request: HTTPRequest) => {
    if (isOwn(request.url())) server.noteUse(new URL(request.url()).pathname);
    const caller = request.initiator()?.stack?.callFrames.find(({ url }) => isAuthors(url));
    if (caller) state.callers.set(request.url(), locationOf(caller));
  };
  const onRequestFailed = (request: HTTPRequest) => {
    const reason = request.failure()?.errorText ?? 'the request failed';
    // Pages cancel requests that they no longer need, media elements especially.
    if (isOwn(request.url()) || reason === 'net::ERR_ABORTED' || !visibleResources.has(request.resourceType())) return;
    state.unloaded ??= { url: request.url(), reason };
  };
  const onResponse = (response: HTTPResponse) => {
    if (isOwn(response.url()) || response.status() < 400) return;
    if (visibleResources.has(response.request().resourceType()))
      state.unloaded ??= { url: response.url(), reason: `HTTP ${response.status()}` };
  };
  const onCrash = () => {
    state.crashed = true;
  };
  page.on('dialog', onDialog);
  page.on('request', onRequest);
  page.on('requestfailed', onRequestFailed);
  page.on('response', onResponse);
  page.on('error', onCrash);
  session.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
    state.failure ??= pageFailure(exceptionDetails);
  });
  return {
    state,
    onRemoteImage(url: string): void {
      state.remoteImage ??= url;
    },
    unwatch(): void {
      page.off('dialog', onDialog);
      page.off('request', onRequest);
      page.off('requestfailed', onRequestFailed);
      page.off('response', onResponse);
      page.off('error', onCrash);
      session.removeAllListeners();
    },
  };
}

async function setViewport({ session }: Tab, { width, height }: CaptureTarget): Promise<void> {
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: width + (width % 2),
    height: height + (height % 2),
    deviceScaleFactor: 1,
    mobile: false,
  });
  // Areas that the page leaves transparent stay transparent, for frames with alpha.
  await session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } });
}

/** Whether the process of the page ended while it was opening its own document: the browser reports this before the crash. */
const isAborted = (message: string, { browser }: LaunchedBrowser): boolean =>
  browser.connected && /^net::ERR_ABORTED at \S+\/__framework\//.test(message);

/** The error for users, or `error` itself. */
function explain(error: unknown, launched: LaunchedBrowser, state: PageState, place: { file: string }): unknown {
  if (error instanceof UserError) return error;
  const message = String((error as Error).message ?? error);
  if (state.crashed || isAborted(message, launched)) {
    return new UserError('page_crashed', 'The page crashed while it was being rendered.', {
      hint: 'It may have run out of memory: render with --workers 1, or use smaller images.',
    });
  }
  if (!launched.browser.connected) return browserEnded(error);
  state.broken ??= jsonAfter<BrokenAsset>(assetErrorPrefix, message);
  state.unfinished ??= jsonAfter<UnfinishedWork>(loadingErrorPrefix, message);
  return inPageError(message, place) ?? error;
}

/** Rejects with puppeteer's TimeoutError if `work` takes longer than a page may take to load. */
async function inTime<T>(work: Promise<T>, ms = readyTimeoutMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError('not loaded')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs in the page: ends the composition and removes what it and the capture have stored. */
const leavePage = (): ReturnType<CaptureApi['leave']> =>
  (window as unknown as { __capture: Pick<CaptureApi, 'leave'> }).__capture.leave();

/** `ended` rejects when the browser or the page ends, so that calls do not wait for an answer that cannot come. */
function watchEnd(launched: LaunchedBrowser, page: Page): { ended: Promise<never>; unwatch(): void } {
  const { browser } = launched;
  let stop: () => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('the browser has ended'));
  });
  if (!browser.connected) stop();
  browser.once('disconnected', stop);
  page.once('error', stop);
  const unwatch = () => {
    browser.off('disconnected', stop);
    page.off('error', stop);
  };
  return { ended, unwatch };
}
