// Pictures drawn by the browser that is open anyway: a frame made smaller or put into another format, several on one sheet.
import { writeFile } from 'node:fs/promises';
import type { Browser } from 'puppeteer-core';
import type { ProjectServer } from '../project/server.ts';

export type PictureType = 'png' | 'jpeg' | 'webp';

type Size = { width: number; height: number };

/** A frame's own file, and what stands below it. */
type Shown = { file: string; caption: string };

/** What is drawn: `files` are the sources of the page's images, in order. */
export type Picture = Size & { html: string; files: readonly string[] };

/** One frame alone, no side longer than `maxSide` pixels. */
export function framePicture(shown: Shown | undefined, size: Size, maxSide = Number.POSITIVE_INFINITY): Picture {
  const scale = Math.min(1, maxSide / Math.max(size.width, size.height));
  const width = Math.max(1, Math.round(size.width * scale));
  const height = Math.max(1, Math.round(size.height * scale));
  return { width, height, html: image(0, { width, height }), files: shown ? [shown.file] : [] };
}

const sheetSide = 1920;
const gap = 16;
const captionHeight = 36;

/** All of them in rows, each with its caption below. */
export function sheetPicture(shown: readonly Shown[], size: Size, maxSide = sheetSide): Picture {
  const columns = columnsFor(shown.length, size);
  const rows = Math.ceil(shown.length / columns);
  const room = {
    width: (maxSide - gap * (columns + 1)) / columns,
    height: (maxSide - gap * (rows + 1)) / rows - captionHeight,
  };
  const scale = Math.min(1, room.width / size.width, room.height / size.height);
  const cell = {
    width: Math.max(1, Math.floor(size.width * scale)),
    height: Math.max(1, Math.floor(size.height * scale)),
  };
  const figures = shown.map(
    ({ caption }, index) => `<figure>${image(index, cell)}<figcaption>${caption}</figcaption></figure>`,
  );
  const style = `body{background:#1b1b1f;color:#d8d8dc;font:16px/${captionHeight - 8}px system-ui,sans-serif}
main{display:grid;grid-template-columns:repeat(${columns},${cell.width}px);gap:${gap}px;padding:${gap}px}
figure{margin:0;overflow:hidden;height:${cell.height + captionHeight}px}
figcaption{padding-top:8px;text-align:center;white-space:nowrap;font-variant-numeric:tabular-nums}`;
  return {
    width: columns * (cell.width + gap) + gap,
    height: rows * (cell.height + captionHeight + gap) + gap,
    html: `<style>${style}</style><main>${figures.join('')}</main>`,
    files: shown.map(({ file }) => file),
  };
}

/** So many that the sheet comes out about as wide as high and a half. */
function columnsFor(count: number, { width, height }: Size): number {
  return Math.min(count, Math.max(1, Math.round(Math.sqrt((1.5 * count * height) / width))));
}

/** White is behind what a frame leaves open. */
function image(index: number, { width, height }: Size): string {
  return `<img src="${pathOf(index)}?${versions}" style="display:block;background:#fff" width="${width}" height="${height}" alt="">`;
}

const pathOf = (index: number): string => `/__framework/snapshots/${index}.png`;

/** Browsers keep images: what was drawn before this stands at the same addresses. */
let versions = 0;

const quality = 90;

/** Draws the picture in a page of its own and writes it to `path`. */
export async function drawPicture(
  browser: Browser,
  server: ProjectServer,
  picture: Picture,
  type: PictureType,
  path: string,
): Promise<void> {
  versions++;
  const { width, height, files, html } = picture;
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
    await page.close().catch(() => undefined);
  }
}

const pagePath = '/__framework/snapshot.html';
