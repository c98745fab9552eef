// Compares captured frames with the browser's own screenshots: every page of the corpus, both capture paths, several times.
// FIDELITY_TABLE=1 writes the table in docs/capture.md, and all images to .cache/fidelity.png.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { pngOf } from '../support/captureFrames.ts';
import { core } from '../support/suites.ts';
import { sharedBrowser } from '../support/warmRender.ts';
import { type Captured, capturePage, instants } from './capture.ts';
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

describe('captures the same frames as the browser:', () => {
  for (const page of corpus) test(page.name, corePages.has(page.name) ? core : {}, () => check(page));

  async function check(page: FidelityPage): Promise<void> {
    const { capture, images } = await capturePage(page);
    const compared = images.map(({ shown, auto, screenshot }) => ({
      shown,
      captured: auto,
      auto: psnr(shown, auto),
      screenshot: psnr(shown, screenshot),
    }));
    const worst = compared.reduce((a, b) => (b.auto < a.auto ? b : a));
    const { name, threshold } = page;
    if (process.env.FIDELITY_TABLE === '1')
      rows.push({ ...worst, name, threshold, decibels: worst.auto, path: capture.path });
    if (compared.some(({ auto, screenshot }) => auto < threshold || screenshot < screenshotThreshold))
      keep(name, images);
    expect(compared.every(({ shown }) => isBlank(shown))).toBe(false);
    expect(worst.auto).toBeGreaterThanOrEqual(threshold);
    expect(Math.min(...compared.map(({ screenshot }) => screenshot))).toBeGreaterThanOrEqual(screenshotThreshold);
    expect({ path: capture.path, because: capture.reason }).toMatchObject({ path: page.path });
  }

  test('has the pages that belong to `npm test`', () => {
    expect(corpus.map(({ name }) => name)).toEqual(expect.arrayContaining([...corePages]));
  });
});

/** Keeps the images of a failed comparison. They show which of the three is wrong. */
function keep(name: string, images: Captured['images']): void {
  const folder = join(cache, 'fidelity', name.replaceAll(/\W+/g, '-'));
  mkdirSync(folder, { recursive: true });
  for (const [index, one] of images.entries()) {
    for (const [path, image] of Object.entries(one))
      writeFileSync(join(folder, `${instants[index]}-${path}.png`), pngOf(image));
  }
}

afterAll(async () => {
  if (rows.length === 0) return;
  mkdirSync(cache, { recursive: true });
  await writeContactSheet(rows, join(cache, 'fidelity.png'), launched().browser);
  writeTable(rows);
});
