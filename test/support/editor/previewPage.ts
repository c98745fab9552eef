// The live preview's page in a real browser: opens a project, sends keys, and reads pixels.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import type { Frame, Page } from 'puppeteer-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { FromProcess } from '../../../preview/messages.ts';
import { type Preview, startPreview } from '../../../preview/preview.ts';
import { findBrowser } from '../../../renderer-core/capture/findBrowser.ts';
import { type LaunchedBrowser, launchBrowser } from '../../../renderer-core/capture/launch.ts';

export type OpenedPreview = {
  page: Page;
  preview: Preview;
  /** The messages to the editor. */
  told: FromProcess[];
  /** The iframe with the visible composition. */
  shown(): Promise<Frame>;
  /** The frame number, and whether it is exact, after the page has settled. */
  atRest(): Promise<number>;
  /** The pixels of the composition at 100 %. */
  picture(): Promise<PNG>;
  /**
   * The pixels of the composition in a window of its size. Browsers draw tiles of the window: where an element is in them
   * changes the anti-aliasing of its edges and gradients by a few levels. The controls of the page are covered afterwards.
   */
  alone(): Promise<PNG>;
  /** Seeks to a time in the notation of the time field: `75f`. */
  goTo(time: string): Promise<void>;
  problems(): Promise<string[]>;
};

const patience = { timeout: 60_000 };

/** A browser of its own for the tests of a file. `envIn` returns its environment, and gets a folder for files. */
export function browserWithEnv(envIn: (folder: string) => NodeJS.ProcessEnv): () => LaunchedBrowser {
  let launched: LaunchedBrowser | undefined;
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'framework-preview-'));
    launched = await launchBrowser(await findBrowser({ env: process.env }), folder, {
      graphics: 'plain',
      env: envIn(folder),
    });
  });
  afterAll(async () => {
    await launched?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return () => launched as LaunchedBrowser;
}

/** Opens a page that is large enough for the composition at 100 %. */
export async function openPreview(
  { browser }: LaunchedBrowser,
  root: string,
  { composition = 'index.html', width = 1500, height = 1400 } = {},
): Promise<OpenedPreview> {
  const controller = new AbortController();
  const told: FromProcess[] = [];
  const preview = await startPreview({
    root,
    signal: controller.signal,
    env: process.env,
    notify: (message) => told.push(message),
  });
  const page = await browser.newPage();
  onTestFinished(async () => {
    await page.close();
    controller.abort();
    await preview.close();
  });
  await page.setViewport({ width, height });
  await page.goto(`${preview.url}?composition=${encodeURIComponent(composition)}`);
  const shown = async () => {
    const frame = await (await page.waitForSelector('iframe.shown:first-of-type', patience))?.contentFrame();
    if (!frame) throw new Error('the composition has no frame');
    return frame;
  };
  return {
    page,
    preview,
    told,
    shown,
    async atRest() {
      await page.waitForFunction(
        () => {
          const screens = document.querySelectorAll('iframe');
          const isNearly = document.querySelector('.nearly.on');
          return screens.length === 1 && screens[0]?.matches('.shown') && !isNearly;
        },
        { ...patience, polling: 100 },
      );
      return page.$eval('.frame', (element) => Number(/\d+/.exec(element.textContent ?? '')?.[0]));
    },
    async picture() {
      await page.keyboard.press('1');
      // Wait for two frames, because the first one after the resize may still be scaled.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await page.addStyleTag({ content: '.outlines, .note, .problems, .guides { visibility: hidden }' });
      const { x = 0, y = 0, width = 1, height = 1 } = (await (await page.$('iframe.shown'))?.boundingBox()) ?? {};
      return PNG.sync.read(Buffer.from(await page.screenshot({ clip: { x, y, width, height } })));
    },
    async alone() {
      await page.keyboard.press('1');
      const css =
        '.stage { position: fixed; inset: 0; z-index: 9 } .sheet { left: 0 !important; top: 0 !important; box-shadow: none }';
      await page.addStyleTag({ content: `${css} .outlines, .guides { visibility: hidden }` });
      const { width = 1, height = 1 } = (await (await page.$('iframe.shown'))?.boundingBox()) ?? {};
      await page.setViewport({ width, height });
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      return PNG.sync.read(Buffer.from(await page.screenshot()));
    },
    async goTo(time) {
      await page.click('input.time');
      await page.keyboard.type(time);
      await page.keyboard.press('Enter');
    },
    problems: () =>
      page.$$eval('.problems li', (items) =>
        items.map((item) => [...item.children].map((part) => part.textContent).join(' | ')),
      ),
  };
}
