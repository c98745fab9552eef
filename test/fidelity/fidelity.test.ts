// What is captured is what the browser shows: every page of the corpus, by both ways of capture, at several instants.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';
import { afterAll, describe, expect, test } from 'vitest';
import { type Captured, capturePage, instants } from './capture.ts';
import { isBlank, psnr } from './compare.ts';
import { type ContactRow, writeContactSheet } from './contactSheet.ts';
import { corpus } from './corpus.ts';

/** Screenshots of the same page at the same instant: text is smoothed a little differently on layers that moved before. */
const screenshotThreshold = 40;

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url));
const rows: ContactRow[] = [];

describe.concurrent('captured as the browser shows it', () => {
  test.each(corpus)('$name', async (page) => {
    const { report, pictures } = await capturePage(page);
    const compared = pictures.map(({ shown, auto, screenshot }) => ({
      shown,
      captured: auto,
      auto: psnr(shown, auto),
      screenshot: psnr(shown, screenshot),
    }));
    const worst = compared.reduce((a, b) => (b.auto < a.auto ? b : a));
    const { name, threshold } = page;
    rows.push({ ...worst, name, threshold, decibels: worst.auto, path: report.capture.path });
    if (compared.some(({ auto, screenshot }) => auto < threshold || screenshot < screenshotThreshold))
      keep(name, pictures);
    expect(compared.every(({ shown }) => isBlank(shown))).toBe(false);
    expect(worst.auto).toBeGreaterThanOrEqual(threshold);
    expect(Math.min(...compared.map(({ screenshot }) => screenshot))).toBeGreaterThanOrEqual(screenshotThreshold);
    expect({ path: report.capture.path, because: report.capture.reason }).toMatchObject({ path: page.path });
  });
});

/** What disagreed is gone with the test's folder: without its pictures nobody can tell which of the three was wrong. */
function keep(name: string, pictures: Captured['pictures']): void {
  const folder = join(cache, 'fidelity', name.replaceAll(/\W+/g, '-'));
  mkdirSync(folder, { recursive: true });
  for (const [index, one] of pictures.entries()) {
    for (const [way, picture] of Object.entries(one))
      writeFileSync(join(folder, `${instants[index]}-${way}.png`), PNG.sync.write(picture));
  }
}

afterAll(async () => {
  mkdirSync(cache, { recursive: true });
  await writeContactSheet(rows, join(cache, 'fidelity.png'), cache);
});
