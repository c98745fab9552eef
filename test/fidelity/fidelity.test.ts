// What is captured is what the browser shows: every page of the corpus, by both ways of capture, at several instants.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withSession } from '../../renderer-core/render/session.ts';
import { type Captured, capturePage, instants, type Lane } from './capture.ts';
import { isBlank, psnr } from './compare.ts';
import { type ContactRow, writeContactSheet } from './contactSheet.ts';
import { corpus } from './corpus.ts';

/** Screenshots of the same page at the same instant: text is smoothed a little differently on layers that moved before. */
const screenshotThreshold = 40;

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url));
const rows: ContactRow[] = [];

/** One for each test that runs at the same time; its browser is started once. */
const free: Lane[] = [];
let end = () => {};
let ended: Promise<unknown>;

beforeAll(async () => {
  await new Promise<void>((begun, failed) => {
    ended = withSession({ root: cache }, async (session) => {
      for (let lane = 0; lane < 2; lane++) free.push({ session, browsers: session.openBrowsers(false) });
      begun();
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    });
    ended.catch(failed);
  });
});

describe.concurrent('captured as the browser shows it', () => {
  test.each(corpus)('$name', async (page) => {
    const lane = free.pop();
    if (!lane) throw new Error('more tests run at the same time than there are lanes');
    const { report, pictures } = await capturePage(page, lane).finally(() => free.push(lane));
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
  end();
  await ended;
  mkdirSync(cache, { recursive: true });
  await writeContactSheet(rows, join(cache, 'fidelity.png'), cache);
});
