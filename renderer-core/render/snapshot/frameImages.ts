// Images drawn by the browser that is open anyway: a frame at another size or in another format, or a contact sheet.
import { writeFile } from 'node:fs/promises';
import type { Browser } from 'puppeteer-core';
import type { ProjectServer } from '../../project/serve/projectServer.ts';

export type ImageType = 'png' | 'jpeg' | 'webp';

type Size = { width: number; height: number };

/** A frame's file, the caption below it, and its size. */
type Shown = { file: string; caption: string; size: Size };

/** A page to draw. `files`: the sources of its images, in order. */
export type DrawnImage = Size & { html: string; files: readonly string[] };

/** One frame, with no side longer than `maxSide` pixels. */
export function scaledFrame(
  shown: Pick<Shown, 'file'> | undefined,
  size: Size,
  maxSide = Number.POSITIVE_INFINITY,
): DrawnImage {
  const scale = Math.min(1, maxSide / Math.max(size.width, size.height));
  const width = Math.max(1, Math.round(size.width * scale));
  const height = Math.max(1, Math.round(size.height * scale));
  return { width, height, html: imageTag(0, { width, height }), files: shown ? [shown.file] : [] };
}

const sheetSide = 1920;
const gap = 16;
const captionHeight = 36;

/** All frames in rows, each with its caption below. Frames of several sizes have the same scale. */
export function contactSheet(shown: readonly Shown[], maxSide = sheetSide): DrawnImage {
  const size = {
    width: Math.max(...shown.map(({ size }) => size.width)),
    height: Math.max(...shown.map(({ size }) => size.height)),
  };
  const columns = columnsFor(shown.length, size);
  const rows = Math.ceil(shown.length / columns);
  const room = {
    width: (maxSide - gap * (columns + 1)) / columns,
    height: (maxSide - gap * (rows + 1)) / rows - captionHeight,
  };
  const scale = Math.min(1, room.width / size.width, room.height / size.height);
  const scaled = ({ width, height }: Size): Size => ({
    width: Math.max(1, Math.floor(width * scale)),
    height: Math.max(1, Math.floor(height * scale)),
  });
  const cell = scaled(size);
  const figures = shown.map(
    ({ caption, size }, index) =>
      `<figure>${imageTag(index, scaled(size))}<figcaption>${caption}</figcaption></figure>`,
  );
  const style = `body{background:#1b1b1f;color:#d8d8dc;font:16px/${captionHeight - 8}px system-ui,sans-serif}
main{display:grid;grid-template-columns:repeat(${columns},${cell.width}px);gap:${gap}px;padding:${gap}px}
figure{margin:0;overflow:hidden;height:${cell.height + captionHeight}px}
img{margin:0 auto}
figcaption{padding-top:8px;text-align:center;white-space:nowrap;font-variant-numeric:tabular-nums}`;
  return {
    width: columns * (cell.width + gap) + gap,
    height: rows * (cell.height + captionHeight + gap) + gap,
    html: `<style>${style}</style><main>${figures.join('')}</main>`,
    files: shown.map(({ file }) => file),
  };
}

/** Chooses the columns so that the sheet is about 1.5 times as wide as high. */
function columnsFor(count: number, { width, height }: Size): number {
  return Math.min(count, Math.max(1, Math.round(Math.sqrt((1.5 * count * height) / width))));
}

/** The image of the file at `index`. Transparent areas of a frame become white. */
export function imageTag(index: number, { width, height }: Size): string {
  return `<img src="${pathOf(index)}?${versions}" style="display:block;background:#fff" width="${width}" height="${height}" alt="">`;
}

const pathOf = (index: number): string => `/__framework/snapshots/${index}.png`;

/** Part of the image URLs: browsers cache images, and earlier drawings had the same paths. */
let versions = 0;

const quality = 90;

/** Draws the image in a new page and writes it to `path`. */
export async function drawImage(
  browser: Browser,
  server: ProjectServer,
  image: DrawnImage,
  type: ImageType,
  path: string,
): Promise<void> {
  versions++;
  const { width, height, files, html } = image;
  for (const [index, file] of files.entries()) server.setVirtual(pathOf(index), { file, type: 'image/png' });
  const body = `<!doctype html><meta charset="utf-8"><style>body{margin:0;overflow:hidden}</style><body>${html}`;
  server.setVirtual(pagePath, { body, type: 'text/html; charset=utf-8' });
  const page = await browser.newPage();
  try {
    await page.setViewport({ width, height });
    await page.goto(`${server.origin}${pagePath}`, { waitUntil: 'load' });
    await page.evaluate(() => Promise.all([...document.images].map((one) => one.decode())));
    const options = type === 'png' ? {} : { quality };
    await writeFile(path, await page.screenshot({ type, ...options, clip: { x: 0, y: 0, width, height } }));
  } finally {
    // The browser may have ended.
    await page.close().catch(() => undefined);
  }
}

const pagePath = '/__framework/snapshot.html';
