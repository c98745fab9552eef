// One page of the browser with a composition in it: opened, watched for errors, driven through its in-page script.
import {
  type CDPSession,
  type Dialog,
  type HTTPRequest,
  type HTTPResponse,
  type Page,
  TimeoutError,
} from 'puppeteer-core';
import { UserError } from '../errors.ts';
import type { FrameRate } from '../plan/frameRate.ts';
import type { PageSize } from '../plan/resolution.ts';
import { assetFault, type BrokenAsset, mediaFault, timingFault } from '../runtime/page.ts';
import type { CaptureApi } from './inPage.ts';
import type { LaunchedBrowser, Tab } from './launch.ts';
import { leftItsPage } from './protocol.ts';
import { answerRemoteRequests, type PageServices } from './remoteRequests.ts';

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
  page: Page;
  session: CDPSession;
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
  close(): Promise<void>;
};

/** Requests whose failure leaves a hole in the picture. What scripts fetch is theirs to handle. */
const visibleResources = new Set<string>(['document', 'stylesheet', 'image', 'media', 'font', 'script']);

/** How long a page may take to load and come to rest. */
const readyTimeoutMs = 60_000;

/** Video is coded in blocks of two by two pixels; pictures with alpha leave the page as they are. */
export function canvasSize({ width, height, transparent }: CaptureTarget): { width: number; height: number } {
  const even = (side: number) => (transparent ? side : side + (side % 2));
  return { width: even(width), height: even(height) };
}

/** The document around the composition. `canvas` makes it the child of a canvas that can draw it. */
export function capturePageHtml(target: CaptureTarget, canvas: boolean): string {
  const { width, height, page, rate, path, transparent } = target;
  const options = JSON.stringify({ width, height, rate }).replaceAll('"', '&quot;');
  const src = path.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  // A zoomed frame is laid out in its own pixels, with as many of the device's for each.
  const size = `width:${page.width}px;height:${page.height}px${page.zoom === 1 ? '' : `;zoom:${page.zoom}`}`;
  // As in a browser window, white shows where the page leaves its background open.
  const frame = `<iframe src="${src}" style="${size};border:0;display:block;visibility:visible;background:${transparent ? 'transparent' : '#fff'}"></iframe>`;
  const drawn = canvasSize(target);
  const body = canvas
    ? `<canvas layoutsubtree width="${drawn.width}" height="${drawn.height}" style="display:block;visibility:hidden">${frame}</canvas>`
    : frame;
  return `<!doctype html><html data-options="${options}"><meta charset="utf-8"><style>html,body{margin:0;background:transparent;overflow:hidden}</style>${body}<script src="/__framework/inPage.js"></script></html>`;
}

export async function openCapturePage(
  launched: LaunchedBrowser,
  target: CaptureTarget,
  pagePath: string,
  services: PageServices,
): Promise<CapturePage> {
  const tab = launched.tabs?.pop() ?? (await openTab(launched));
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

  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    const mayStay = launched.tabs && !crashed && !failure && launched.browser.connected && ++tab.shown < pagesPerTab;
    // Only a tab that has got rid of everything may show another page.
    const isClean = mayStay && (await page.evaluate(leavePage).catch(() => false));
    forget();
    page.off('dialog', onDialog);
    page.off('requestfailed', onRequestFailed);
    page.off('response', onResponse);
    page.off('error', onCrash);
    session.removeAllListeners();
    if (isClean) launched.tabs?.push(tab);
    else await page.close().catch(() => undefined);
  };

  try {
    // To load the same address again would bring back what the page before had scrolled and typed.
    const url = `${target.origin}${pagePath}?${tab.shown}`;
    await guard(page.goto(url, { waitUntil: 'load', timeout: readyTimeoutMs }));
  } catch (error) {
    await close();
    throw error instanceof TimeoutError ? notReady(place) : error;
  }
  return {
    page,
    session,
    call: (name, ...args) =>
      guard(
        page.evaluate(
          (key, values) =>
            (window as unknown as { __capture: Record<string, (...all: unknown[]) => unknown> }).__capture[key]?.(
              ...values,
            ),
          name,
          args,
        ),
      ) as never,
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

async function openTab({ browser }: LaunchedBrowser): Promise<Tab> {
  const opened = (async () => {
    const page = await browser.newPage();
    const session = await page.createCDPSession();
    await session.send('Runtime.enable');
    return { page, session, shown: 0 };
  })();
  let timer: NodeJS.Timeout | undefined;
  // A tab whose process dies at this moment answers nothing.
  const late = new Promise<never>((_, reject) => {
    const message = `The browser has not opened a page in ${readyTimeoutMs / 1000} s.`;
    timer = setTimeout(() => reject(new UserError('page_crashed', message)), readyTimeoutMs);
  });
  try {
    return await Promise.race([opened, late]);
  } finally {
    opened.catch(() => undefined);
    clearTimeout(timer);
  }
}

/** What a tab keeps of its pages grows: after so many it is closed. */
const pagesPerTab = 50;

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
const leavePage = (): Promise<boolean> =>
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
