// One page of the browser with a composition in it: opened, watched for errors, driven through its in-page script.
import { type Dialog, type HTTPRequest, type HTTPResponse, type Page, TimeoutError } from 'puppeteer-core';
import { UserError } from '../errors.ts';
import type { FrameRate } from '../plan/frameRate.ts';
import type { PageSize } from '../plan/resolution.ts';
import { assetFault, type BrokenAsset, mediaFault, timingFault } from '../runtime/page.ts';
import type { CaptureApi } from './inPage.ts';
import type { LaunchedBrowser } from './launch.ts';
import { leftItsPage, type StageOptions } from './protocol.ts';
import { answerRemoteRequests, type PageServices } from './remoteRequests.ts';
import { closeRing, closeTab, keepTab, mayStay, readyTimeoutMs, type Tab, takeTab } from './tabs.ts';

export type CaptureTarget = {
  /** Where the project server listens, and the assembled composition's path on it. */
  origin: string;
  path: string;
  width: number;
  height: number;
  /** The composition's own size, and how much larger the picture shows it. */
  page: PageSize;
  rate: FrameRate;
  /** Whether what the page leaves open stays open, for formats with alpha. */
  transparent: boolean;
};

/** An exception that the page's own code threw, in the page's words. Line and column count from 1. */
export type PageFailure = {
  message: string;
  url: string | undefined;
  line: number | undefined;
  column: number | undefined;
};

export type CapturePage = {
  tab: Tab;
  /** Calls a function of the in-page script. Rejects with the page's own failure if there is one. */
  call<Name extends keyof CaptureApi>(
    name: Name,
    ...args: Parameters<CaptureApi[Name]>
  ): Promise<Awaited<ReturnType<CaptureApi[Name]>>>;
  /** The first uncaught exception of the composition's scripts. */
  failure(): PageFailure | undefined;
  /** The first file from another host that could not be loaded, and why. */
  unloaded(): { url: string; reason: string } | undefined;
  /** The first image or font that is there and cannot be used. */
  broken(): BrokenAsset | undefined;
  /** The first image or video that came from another host: the browser leaves it out when it draws into a canvas. */
  remotePicture(): string | undefined;
  /** May be called again: resolves when the page has been left. */
  close(): Promise<void>;
};

/** Requests whose failure leaves a hole in the picture. What scripts fetch is theirs to handle. */
const visibleResources = new Set<string>(['document', 'stylesheet', 'image', 'media', 'font', 'script']);

/** Video is coded in blocks of two by two pixels; pictures with alpha leave the page as they are. */
export function canvasSize({ width, height, transparent }: CaptureTarget): { width: number; height: number } {
  const even = (side: number) => (transparent ? side : side + (side % 2));
  return { width: even(width), height: even(height) };
}

/** What stands around compositions: a page that paints them into a canvas, or one that shows them as any page would. */
export type CapturePageKind = { path: string; canvas: boolean; stays: boolean };

export const pageKinds = {
  paint: { path: '/__framework/paint.html', canvas: true, stays: true },
  /** For screenshots that are only compared with. */
  sample: { path: '/__framework/sample.html', canvas: false, stays: true },
  /** For screenshots that become frames: how Chrome scales layers may depend on what its page has shown before. */
  plain: { path: '/__framework/plain.html', canvas: false, stays: false },
} as const satisfies Record<string, CapturePageKind>;

/** The document around a composition, which its script puts there. `canvas` makes it the child of a canvas that can draw it. */
export function capturePageHtml(target: CaptureTarget, canvas: boolean): string {
  const { width, height, page, rate, transparent } = target;
  const options: StageOptions = { width, height, page, rate, transparent, canvas: canvas ? canvasSize(target) : null };
  const json = JSON.stringify(options).replaceAll('"', '&quot;');
  return `<!doctype html><html data-options="${json}"><meta charset="utf-8"><style>html,body{margin:0;background:transparent;overflow:hidden}</style><body><script src="/__framework/inPage.js"></script></body></html>`;
}

export async function openCapturePage(
  launched: LaunchedBrowser,
  target: CaptureTarget,
  kind: CapturePageKind,
  services: PageServices,
): Promise<CapturePage> {
  const html = capturePageHtml(target, kind.canvas);
  const address = `${target.origin}${kind.path}`;
  const standing = `${address} ${html}`;
  const tab = await takeTab(launched, standing);
  const { page, session } = tab;
  let failure: PageFailure | undefined;
  let unloaded: { url: string; reason: string } | undefined;
  let broken: BrokenAsset | undefined;
  let remotePicture: string | undefined;
  let crashed = false;
  // A dialog would wait for somebody to answer it.
  const onDialog = (dialog: Dialog) => void dialog.dismiss().catch(() => undefined);
  page.on('dialog', onDialog);
  const isOwn = (url: string) => url.startsWith(`${target.origin}/`);
  const onRequestFailed = (request: HTTPRequest) => {
    const reason = request.failure()?.errorText ?? 'the request failed';
    // A page that no longer wants a file ends its request itself, and media elements do so all the time.
    if (isOwn(request.url()) || reason === 'net::ERR_ABORTED' || !visibleResources.has(request.resourceType())) return;
    unloaded ??= { url: request.url(), reason };
  };
  page.on('requestfailed', onRequestFailed);
  const onResponse = (response: HTTPResponse) => {
    if (isOwn(response.url()) || response.status() < 400) return;
    if (visibleResources.has(response.request().resourceType()))
      unloaded ??= { url: response.url(), reason: `HTTP ${response.status()}` };
  };
  page.on('response', onResponse);
  const onCrash = () => {
    crashed = true;
  };
  page.on('error', onCrash);
  session.on('Runtime.exceptionThrown', ({ exceptionDetails: details }) => {
    const top = details.stackTrace?.callFrames.find(
      (frame) => frame.url !== '' && !frame.url.includes('/__framework/runtime'),
    );
    failure ??= {
      message: (details.exception?.description ?? details.text).split('\n')[0] ?? details.text,
      url: details.url ?? top?.url,
      line: (details.url ? details.lineNumber : (top?.lineNumber ?? details.lineNumber)) + 1,
      column: (details.url ? details.columnNumber : (top?.columnNumber ?? details.columnNumber)) + 1,
    };
  });
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: target.width + (target.width % 2),
    height: target.height + (target.height % 2),
    deviceScaleFactor: 1,
    mobile: false,
  });
  // Pictures with alpha: what the page leaves open stays open.
  await session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } });

  await answerRemoteRequests(session, services, (url) => {
    remotePicture ??= url;
  });

  const place = { file: decodeURIComponent(target.path).replace(/^\//, '') };
  const explain = (error: unknown): unknown => {
    if (error instanceof UserError) return error;
    if (crashed) {
      return new UserError('page_crashed', 'The page crashed while it was being rendered.', {
        hint: 'It may have run out of memory: render with --workers 1, or use smaller images.',
      });
    }
    if (!launched.browser.connected) return browserEnded(error);
    const message = String((error as Error).message ?? error);
    broken ??= brokenAsset(message);
    return inPageFault(message, place) ?? error;
  };

  const { gone, forget } = ended(launched, page);
  gone.catch(() => undefined);
  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await Promise.race([work, gone]);
    } catch (error) {
      throw explain(error);
    }
  };

  const leave = async (): Promise<void> => {
    const isKept = mayStay(launched, tab) && !crashed && !failure;
    // Only a tab that has got rid of everything may show another composition.
    const left = isKept ? await page.evaluate(leavePage).catch(() => null) : null;
    forget();
    page.off('dialog', onDialog);
    page.off('requestfailed', onRequestFailed);
    page.off('response', onResponse);
    page.off('error', onCrash);
    session.removeAllListeners();
    tab.standing = kind.stays && left?.isAsBefore ? standing : undefined;
    if (left) keepTab(launched, tab);
    else await closeTab(tab);
  };
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= leave();
    return closing;
  };

  const load = async (): Promise<void> => {
    if (tab.standing !== standing) {
      services.server.setVirtual(kind.path, { body: html, type: 'text/html' });
      await closeRing(tab);
      // To load the same address again would bring back what the page before had scrolled and typed.
      await page.goto(`${address}?${tab.shown}`, { waitUntil: 'load', timeout: readyTimeoutMs });
    }
    tab.standing = undefined;
    tab.shown++;
    await inTime(call('load', target.path));
  };
  const call: CapturePage['call'] = (name, ...args) =>
    guard(
      page.evaluate(
        (key, values) =>
          (window as unknown as { __capture: Record<string, (...all: unknown[]) => unknown> }).__capture[key]?.(
            ...values,
          ),
        name,
        args,
      ),
    ) as never;

  try {
    await guard(load());
  } catch (error) {
    await close();
    throw error instanceof TimeoutError ? notReady(place) : error;
  }
  return {
    tab,
    call,
    failure: () => failure,
    unloaded: () => unloaded,
    broken: () => broken,
    remotePicture: () => remotePicture,
    close,
  };
}

export function browserEnded(cause: unknown): UserError {
  return new UserError('browser_failed', 'The browser ended while the composition was being rendered.', {
    hint: 'If it was not ended by hand, the machine may have run out of memory: render with --workers 1.',
    cause,
  });
}

/** Rejects with puppeteer's TimeoutError when `work` takes as long as a page may take to load. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError('not loaded')), readyTimeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    work.catch(() => undefined);
    clearTimeout(timer);
  }
}

function brokenAsset(message: string): BrokenAsset | undefined {
  const json = new RegExp(`${assetFault}(\\{.*\\})`).exec(message)?.[1];
  return json === undefined ? undefined : JSON.parse(json);
}

/** What the scripts in the page say went wrong, as an error for people. */
function inPageFault(message: string, place: { file: string }): UserError | undefined {
  if (message.includes(leftItsPage)) {
    return new UserError('script_error', 'The composition has navigated away from its own page.', {
      hint: 'Take out what sets location or submits a form: a composition has to stay on its page.',
    });
  }
  const timing = new RegExp(`${timingFault}(.*)`).exec(message);
  if (timing) {
    return new UserError('timing_invalid', timing[1] ?? message, {
      place,
      hint: 'Correct data-start: seconds, or the id of a clip in the same file whose length is known.',
    });
  }
  const media = new RegExp(`${mediaFault}(.*)`).exec(message);
  if (media) {
    return new UserError('media_unreadable', media[1] ?? message, {
      place,
      hint: 'Check that the file plays, or convert it: ffmpeg -i <file> <new file>.mp4',
    });
  }
  // The page's files are in the browser's profile, which is in the temporary folder.
  if (/QuotaExceededError|InvalidStateError|NoSpace/.test(message)) {
    return new UserError('disk_full', `The browser could not write its files: ${message}`, {
      hint: 'Free some space in the temporary folder, or name another one in TMPDIR.',
    });
  }
  return undefined;
}

function notReady(place: { file: string }): UserError {
  return new UserError('script_error', `The page was not loaded after ${readyTimeoutMs / 1000} s.`, {
    hint: 'Look for a script that never ends, or for a file from another host that does not answer.',
    place,
  });
}

/** Runs in the page: ends the composition and takes away what it and the capture have stored. */
const leavePage = (): ReturnType<CaptureApi['leave']> =>
  (window as unknown as { __capture: Pick<CaptureApi, 'leave'> }).__capture.leave();

/** `gone` rejects when the browser or the page is, so that nobody waits for an answer that cannot come. */
function ended(launched: LaunchedBrowser, page: Page): { gone: Promise<never>; forget(): void } {
  const { browser } = launched;
  let stop: () => void = () => undefined;
  const gone = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('the browser has ended'));
  });
  if (!browser.connected) stop();
  browser.once('disconnected', stop);
  page.once('error', stop);
  const forget = () => {
    browser.off('disconnected', stop);
    page.off('error', stop);
  };
  return { gone, forget };
}
