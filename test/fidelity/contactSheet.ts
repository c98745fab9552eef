// The contact sheet: one image with the browser's screenshot, the captured frame and the difference of each page.
import { writeFile } from 'node:fs/promises';
import type { Browser } from 'puppeteer-core';
import { type Image, pngOf } from '../support/renders/captureFrames.ts';
import { difference } from './compare.ts';

export type ContactRow = {
  name: string;
  path: string;
  decibels: number;
  threshold: number;
  shown: Image;
  captured: Image;
};

const columns = 3;

/** Writes the sheet as a PNG. Rows with the largest difference are first. */
export async function writeContactSheet(rows: readonly ContactRow[], file: string, browser: Browser): Promise<void> {
  const page = await browser.newPage();
  try {
    await page.setViewport({ width: columns * 480, height: 600 });
    await page.setContent(sheetHtml([...rows].sort((a, b) => a.decibels - b.decibels)));
    await writeFile(file, await page.screenshot({ fullPage: true }));
  } finally {
    await page.close();
  }
}

function sheetHtml(rows: readonly ContactRow[]): string {
  const failed = rows.filter(({ decibels, threshold }) => decibels < threshold).length;
  return `<!doctype html><style>
    body { margin: 0; padding: 16px; background: #17191d; color: #d8dce2; font: 13px sans-serif }
    h1 { font-size: 18px; font-weight: 600; margin: 0 0 4px } p { margin: 0 0 12px; color: #8b929c }
    main { display: grid; grid-template-columns: repeat(${columns}, 1fr); gap: 12px }
    figure { margin: 0; background: #22252b; border-radius: 6px; overflow: hidden }
    figure > div { display: grid; grid-template-columns: repeat(3, 1fr); gap: 2px; height: 84px }
    img { width: 100%; height: 84px; object-fit: contain; background: #000; min-width: 0 }
    figcaption { display: flex; justify-content: space-between; padding: 6px 10px } .bad { background: #7a2230 } b { font-weight: 600 } i { color: #8b929c; font-style: normal }
  </style><h1>Fidelity: ${rows.length} pages, ${failed} below their threshold</h1>
  <p>Each: the browser's own screenshot, the captured frame, their difference eight times enlarged.</p>
  <main>${rows.map(figureHtml).join('')}</main>`;
}

function figureHtml({ name, path, decibels, threshold, shown, captured }: ContactRow): string {
  const image = (shown: Image) => `<img src="data:image/png;base64,${pngOf(shown).toString('base64')}">`;
  const figure = Number.isFinite(decibels) ? `${decibels.toFixed(1)} dB` : 'identical';
  return `<figure class="${decibels < threshold ? 'bad' : ''}"><div>${image(shown)}${image(captured)}${image(difference(shown, captured))}</div>
    <figcaption><b>${name}</b><i>${path}, ${figure}</i></figcaption></figure>`;
}
