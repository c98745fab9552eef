// Compares captured frames with the browser's own screenshots: every page of the corpus, both capture paths, several times.
// FRAMEWORK_FAST_PATHS=-all runs the suite without fast paths. FIDELITY_TABLE=1 writes the table in docs/capture.md.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fastPathsOption } from '../../renderer-core/capture/fastPaths/fastPaths.ts';
import { withSession } from '../../renderer-core/render/session.ts';
import { type Captured, capturePage, instants, type Lane } from './capture.ts';
import { isBlank, psnr } from './compare.ts';
import { type ContactRow, writeContactSheet } from './contactSheet.ts';
import { corpus } from './corpus.ts';
import { writeTable } from './featureTable.ts';

/** dB for screenshots of the same page at the same time: text on layers that have moved is anti-aliased differently. */
const screenshotThreshold = 40;

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url));
const rows: ContactRow[] = [];

/** One lane for each concurrent test. Each lane starts its browser once. */
const free: Lane[] = [];
let end = () => {};
let ended: Promise<unknown>;

beforeAll(async () => {
  await new Promise<void>((begun, failed) => {
    ended = withSession({ root: cache, ...fastPathsOption(process.env) }, async (session) => {
      for (let lane = 0; lane < 2; lane++) free.push({ session, browsers: session.openBrowsers(false) });
      begun();
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    });
    ended.catch(failed);
  });
});

describe.concurrent('captures the same frames as the browser:', () => {
  test.each(corpus)('$name', async (page) => {
    const lane = free.pop();
    if (!lane) throw new Error('more tests run at the same time than there are lanes');
    const { report, images } = await capturePage(page, lane).finally(() => free.push(lane));
    const compared = images.map(({ shown, auto, screenshot }) => ({
      shown,
      captured: auto,
      auto: psnr(shown, auto),
      screenshot: psnr(shown, screenshot),
    }));
    const worst = compared.reduce((a, b) => (b.auto < a.auto ? b : a));
    const { name, threshold } = page;
    rows.push({ ...worst, name, threshold, decibels: worst.auto, path: report.capture.path });
    if (compared.some(({ auto, screenshot }) => auto < threshold || screenshot < screenshotThreshold))
      keep(name, images);
    expect(compared.every(({ shown }) => isBlank(shown))).toBe(false);
    expect(worst.auto).toBeGreaterThanOrEqual(threshold);
    expect(Math.min(...compared.map(({ screenshot }) => screenshot))).toBeGreaterThanOrEqual(screenshotThreshold);
    expect({ path: report.capture.path, because: report.capture.reason }).toMatchObject({ path: page.path });
  });
});

/** Keeps the images of a failed comparison. They show which of the three is wrong. */
function keep(name: string, images: Captured['images']): void {
  const folder = join(cache, 'fidelity', name.replaceAll(/\W+/g, '-'));
  mkdirSync(folder, { recursive: true });
  for (const [index, one] of images.entries()) {
    for (const [path, image] of Object.entries(one))
      writeFileSync(join(folder, `${instants[index]}-${path}.png`), PNG.sync.write(image));
  }
}

afterAll(async () => {
  end();
  await ended;
  mkdirSync(cache, { recursive: true });
  await writeContactSheet(rows, join(cache, 'fidelity.png'), cache);
  if (process.env.FIDELITY_TABLE === '1') writeTable(rows);
});
