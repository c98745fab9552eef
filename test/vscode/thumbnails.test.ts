// Thumbnails in the tooltips of the sidebar: poster frames of compositions and of finished videos.
import { rm, writeFile } from 'node:fs/promises';
import type { Page } from 'puppeteer-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { icon, suiteWindow } from '../support/vscode/suiteWindow.ts';
import { closeNotifications, runCommand, selectors, waitForNone, waitForText } from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

const hover = '.workbench-hover';
const rows = (view: string) => `.pane:has(> .pane-header[aria-label^="${view}"]) .monaco-list-row`;

const broken = `<!doctype html><html><body>
<div data-composition-id="broken" data-width="160" data-height="90" data-duration="1"></div>
<script>throw new Error('not today');</script></body></html>
`;

const styled = `<!doctype html><html><head><link rel="stylesheet" href="style.css"></head><body>
<div data-composition-id="art" data-width="160" data-height="90" data-duration="1"></div></body></html>
`;

describe('thumbnails in tooltips', () => {
  const editor = suiteWindow(() => ({
    copies: ['launch-card', 'quote-story', 'speaker-cards'].map((name) => `examples/${name}`),
    files: {
      'broken/index.html': broken,
      'art/index.html': styled,
      'art/style.css': 'body { background: #936 }',
    },
    open: 'launch-card/index.html',
  }));
  let page: Page;

  async function hoverRow(view: string, label: string): Promise<void> {
    await waitForText(page, rows(view), label);
    for (const row of await page.$$(rows(view)))
      if ((await row.evaluate((one) => one.textContent))?.startsWith(label)) await row.hover();
  }
  /** Moves the mouse over a row until its tooltip has a thumbnail that has loaded. Returns its size on the screen. */
  async function hoverThumbnail(view: string, label: string): Promise<{ width: number; height: number; text: string }> {
    // A tooltip closes when its row is drawn again.
    for (let tries = 6; ; tries--) {
      await hoverRow(view, label);
      const hasLoaded = (where: string) => (document.querySelector<HTMLImageElement>(where)?.naturalWidth ?? 0) > 0;
      const found = page.waitForFunction(hasLoaded, { timeout: 20_000, polling: 100 }, `${hover} img`);
      if ((await found.catch(() => null)) !== null) break;
      if (tries === 1) throw new Error(`The tooltip of ${label} has no thumbnail.`);
      await page.mouse.move(700, 600);
    }
    return page.$eval(`${hover} img`, (image) => {
      const { width, height } = image as HTMLImageElement;
      return { width, height, text: image.closest('.workbench-hover')?.textContent ?? '' };
    });
  }
  async function hideHover(): Promise<void> {
    await page.mouse.move(700, 600);
    await waitForNone(page, `${hover} img`);
  }

  beforeAll(async () => {
    ({ page } = editor);
    await page.click(icon);
  });

  test('shows the poster frame of a composition', async () => {
    const wide = await hoverThumbnail('Compositions', 'launch-card');
    expect(wide).toMatchObject({ width: 356, height: 200, text: expect.stringContaining('Size: 1920 × 1080') });
    await saveScreenshot(page, 'thumbnail-composition');
    await hideHover();
    const tall = await hoverThumbnail('Compositions', 'quote-story');
    expect(tall).toMatchObject({ width: 113, height: 200, text: expect.stringContaining('Duration') });
    await saveScreenshot(page, 'thumbnail-composition-tall');
    await hideHover();
  });

  test('shows the new poster frame after a change of a style sheet', async () => {
    const source = () => page.$eval(`${hover} img`, (image) => (image as HTMLImageElement).src);
    await hoverThumbnail('Compositions', 'art');
    const before = await source();
    await hideHover();
    await writeFile(editor.inFolder('art/style.css'), 'body { background: #396 }');
    // The change has to arrive in the window.
    await vi.waitFor(
      async () => {
        await hideHover();
        await hoverThumbnail('Compositions', 'art');
        expect(await source()).not.toBe(before);
      },
      { timeout: 60_000, interval: 500 },
    );
    await saveScreenshot(page, 'thumbnail-changed');
    await hideHover();
    // Makes room for the other rows.
    await rm(editor.inFolder('art'), { recursive: true });
    await waitForText(page, rows('Compositions'), 'compositions/card.html');
  });

  test('shows only the text of a composition that cannot be drawn', async () => {
    // Rows move while the tree is drawn again, and then another one is below the mouse.
    await vi.waitFor(
      async () => {
        await page.mouse.move(700, 600);
        await hoverRow('Compositions', 'broken');
        await waitForText(page, hover, 'Size: 160 × 90', 5000);
      },
      { timeout: 60_000, interval: 100 },
    );
    expect(await page.$(`${hover} img`)).toBeNull();
    expect(await page.$(selectors.notification)).toBeNull();
  });

  test('names the main file below the row of its project by its title', async () => {
    await waitForText(page, rows('Compositions'), 'Speaker cardsindex.html · 1920 × 1080, 8 s');
    await saveScreenshot(page, 'thumbnail-names');
  });

  test('shows the poster frame of a finished video', async () => {
    await runCommand(page, 'Framework: Render');
    await waitForText(page, rows('Videos'), 'launch-cardjust now', 300_000);
    await closeNotifications(page);
    const { width, height, text } = await hoverThumbnail('Videos', 'launch-card');
    expect([width, height]).toEqual([356, 200]);
    expect(text).toContain('renders/launch-card.mp4');
    await saveScreenshot(page, 'thumbnail-video');
    await hideHover();
  });
});
