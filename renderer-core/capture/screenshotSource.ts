// Screenshot capture: the browser's own picture of each frame. Works for every page; several times slower than painting.
import type { CapturePage } from './capturePage.ts';
import type { CapturedFrame, FrameSource } from './frameSource.ts';

type Size = { width: number; height: number };

/** `png` is lossless; `jpeg`, at its best quality, takes half the time and suits a video encoder behind it. */
export type ScreenshotFormat = 'png' | 'jpeg';

/**
 * `open` gives a fresh page, `leave` takes the last look at one. Each run of frames is taken from one of its own: how Chrome scales the layers of a page
 * depends on what it has shown before, and a frame must not depend on who took the frames before it.
 */
export function openScreenshotSource(
  open: () => Promise<CapturePage>,
  leave: (page: CapturePage) => Promise<void>,
  size: Size,
  format: ScreenshotFormat,
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
      const same = last?.equals(data) ?? false;
      last = data;
      yield { frame, repeat: 1, data, same, direct: false };
    }
    await leave(page);
    await close();
  }
  return { input: { pixels: format, ...size }, frames, close };
}

/** A picture of `frame`, as a file. Pages only move forward. */
export async function screenshot(
  page: CapturePage,
  frame: number,
  size: Size,
  format: ScreenshotFormat,
): Promise<Buffer> {
  await page.call('show', frame);
  const { data } = await page.tab.session.send('Page.captureScreenshot', {
    format,
    ...(format === 'jpeg' ? { quality: 100 } : {}),
    optimizeForSpeed: true,
    captureBeyondViewport: false,
    clip: { x: 0, y: 0, ...size, scale: 1 },
  });
  return Buffer.from(data, 'base64');
}
