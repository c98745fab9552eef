// Screenshot capture: the browser's own image of each frame. Works for every page, but is several times slower than paint.
import type { CapturePage } from './capturePage.ts';
import type { CapturedFrame, FrameSource } from './frameSource.ts';

type Size = { width: number; height: number };

/** `png` is lossless. `jpeg`, at its best quality, takes half the time and is good enough before a video encoder. */
export type ScreenshotFormat = 'png' | 'jpeg';

/**
 * `open` returns a fresh page; `leave` is called with each page before it is closed. Every call of `frames` uses a page
 * of its own: how Chrome scales the layers of a page depends on what the page has shown before, and a frame must not
 * depend on how the frames before it were captured. `findRepeats`: report images that equal the previous one.
 */
export function openScreenshotSource(
  open: () => Promise<CapturePage>,
  leave: (page: CapturePage) => Promise<void>,
  size: Size,
  { format, findRepeats }: { format: ScreenshotFormat; findRepeats: boolean },
): FrameSource {
  let page: CapturePage | undefined;
  const close = async () => {
    await page?.close();
    page = undefined;
  };
  async function* frames(start: number, end: number): AsyncGenerator<CapturedFrame> {
    page = await open();
    let last: Buffer | undefined;
    for (let frame = start; frame < end; frame++) {
      const data = await screenshot(page, frame, size, format);
      const same = findRepeats && (last?.equals(data) ?? false);
      last = data;
      yield { frame, repeat: 1, data, same, passthrough: false };
    }
    await leave(page);
    await close();
  }
  return { input: { pixels: format, ...size }, frames, close };
}

/** At most this many screenshots are taken of a frame that keeps changing. */
const maxScreenshots = 4;

/**
 * Takes PNG screenshots of `frame` until two in a row are equal. After a change, the compositor sometimes shows a layer at
 * the scale that it had before, until it has drawn it again. `scale` enlarges the image; the page does not see it.
 */
export async function settledScreenshot(page: CapturePage, frame: number, size: Size, scale = 1): Promise<Buffer> {
  let last = await screenshot(page, frame, size, 'png', scale);
  for (let taken = 1; taken < maxScreenshots; taken++) {
    const next = await screenshot(page, frame, size, 'png', scale);
    if (next.equals(last)) break;
    last = next;
  }
  return last;
}

/** Takes a screenshot of `frame`, as the bytes of an image file. Pages only move forward. */
export async function screenshot(
  page: CapturePage,
  frame: number,
  size: Size,
  format: ScreenshotFormat,
  scale = 1,
): Promise<Buffer> {
  await page.call('show', frame);
  return viewportImage(page, size, format, scale);
}

/** What the page shows now, as the bytes of an image file. */
export async function viewportImage(
  page: CapturePage,
  size: Size,
  format: ScreenshotFormat,
  scale = 1,
): Promise<Buffer> {
  const taken = page.tab.session.send('Page.captureScreenshot', {
    format,
    ...(format === 'jpeg' ? { quality: 100 } : {}),
    optimizeForSpeed: true,
    captureBeyondViewport: false,
    clip: { x: 0, y: 0, ...size, scale },
  });
  const { data } = await page.guard(taken);
  return Buffer.from(data, 'base64');
}
