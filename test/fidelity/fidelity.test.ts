// Compares captured frames with the browser's own screenshots: every page of the corpus, several times.
// FIDELITY_TABLE=1 writes the table in docs/internals/capture.md, and all images to .cache/fidelity.png.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { type Image, pngOf } from '../support/renders/captureFrames.ts';
import { sharedBrowser } from '../support/renders/warmRender.ts';
import { core, soak } from '../support/suites.ts';
import { type Captured, type CapturePath, capturePage, instants } from './capture.ts';
import { isBlank, psnr } from './compare.ts';
import { type ContactRow, writeContactSheet } from './contactSheet.ts';
import { corpus } from './corpus.ts';
import { writeTable } from './featureTable.ts';
import type { FidelityPage } from './page.ts';

/** dB for screenshots of the same page at the same time: text on layers that have moved is anti-aliased differently. */
const screenshotThreshold = 40;

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url));
const launched = sharedBrowser();
const rows: ContactRow[] = [];

/** One page of each kind. They also belong to `npm test`. */
const corePages = new Set([
  ...['shadows', 'backdrop filters', 'blend modes', 'masks', 'decorations', 'writing directions', 'flex and grid'],
  ...[
    'shadow trees and slots',
    'dialog and popover in the top layer',
    'animations with directions, delays and iterations',
  ],
  ...[
    'a flipping card',
    'transitions started by a script',
    'GSAP',
    'clips that start and end',
    'SVG filters',
    'a canvas',
  ],
  ...['WebGL', 'images with object-fit', 'footage under a caption', 'animated images'],
]);

const belongsToCore = ({ name }: FidelityPage): boolean => corePages.has(name);
/** Screenshots of pages that are painted serve for comparison and after accidents. */
const byBothPaths = (page: FidelityPage): boolean => belongsToCore(page) || page.path === 'screenshot';

describe('captures the same frames as the browser:', () => {
  for (const page of corpus) test(page.name, belongsToCore(page) ? core : {}, () => check(page));

  async function check(page: FidelityPage): Promise<void> {
    const captured = await capturePage(page, 'auto', ...(byBothPaths(page) ? (['screenshot'] as const) : []));
    expect(captured.shown.every((image) => isBlank(image))).toBe(false);
    compare(page, captured, 'auto');
    if (captured.screenshot) compare(page, captured, 'screenshot');
    const { path, reason } = captured.capture ?? {};
    expect({ path, because: reason }).toMatchObject({ path: page.path });
  }

  test('has the pages that belong to `npm test`', () => {
    expect(corpus.map(({ name }) => name)).toEqual(expect.arrayContaining([...corePages]));
  });
});

describe('captures the same frames as the browser by screenshots, although it paints:', soak, () => {
  for (const page of corpus.filter((one) => !byBothPaths(one)))
    test(page.name, async () => compare(page, await capturePage(page, 'screenshot'), 'screenshot'));
});

/** Checks the frame that differs most. */
function compare({ name, threshold, path }: FidelityPage, captured: Captured, by: CapturePath): void {
  const images = captured.shown.map((shown, index) => ({ shown, captured: captured[by]?.[index] as Image }));
  const all = images.map((one) => ({ ...one, decibels: psnr(one.shown, one.captured) }));
  const worst = all.reduce((a, b) => (b.decibels < a.decibels ? b : a));
  if (by === 'auto' && process.env.FIDELITY_TABLE === '1') rows.push({ ...worst, name, threshold, path });
  const least = by === 'auto' ? threshold : screenshotThreshold;
  if (worst.decibels < least) keep(name, captured);
  expect(worst.decibels, by).toBeGreaterThanOrEqual(least);
}

/** Keeps the images of a failed comparison. They show which of them is wrong. */
function keep(name: string, { shown, auto, screenshot }: Captured): void {
  const folder = join(cache, 'fidelity', name.replaceAll(/\W+/g, '-'));
  mkdirSync(folder, { recursive: true });
  for (const [path, images] of Object.entries({ shown, auto, screenshot }))
    for (const [index, image] of (images ?? []).entries())
      writeFileSync(join(folder, `${instants[index]}-${path}.png`), pngOf(image));
}

afterAll(async () => {
  if (rows.length === 0) return;
  mkdirSync(cache, { recursive: true });
  await writeContactSheet(rows, join(cache, 'fidelity.png'), launched().browser);
  writeTable(rows);
});
