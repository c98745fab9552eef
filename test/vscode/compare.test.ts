// *Compare Sets…*: two sets of values side by side, with one transport for both; and *Compare Sizes*.
import { writeFile } from 'node:fs/promises';
import type { Frame, Page } from 'puppeteer-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { suiteWindow } from '../support/vscode/suiteWindow.ts';
import { frameWith, runCommand } from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

const card = `<!doctype html>
<html data-composition-variables='[
  {"id":"title","type":"string","label":"Title","default":"Plain"},
  {"id":"accent","type":"color","label":"Accent","default":"#555555"}]'>
<head><style>
  body { margin: 0; font-family: sans-serif; }
  #card { width: 640px; height: 360px; background: var(--accent); color: #fff; }
  h1 { margin: 0; padding: 120px 0 0; text-align: center; font-size: 72px; }
  #bar { position: absolute; left: 0; bottom: 0; height: 12px; background: #fff; animation: grow 8s linear both; }
  @keyframes grow { from { width: 0; } to { width: 640px; } }
</style></head>
<body><div id="card" data-composition-id="card" data-width="640" data-height="360" data-duration="8" data-fps="25"
  data-poster-time="4" data-sizes="640x360 360x640"><h1 data-var-text="title"></h1><div id="bar"></div></div></body></html>
`;
const sets = {
  spring: { title: 'Spring', accent: '#2f9e5b' },
  winter: { title: 'Winter', accent: '#2a62b8' },
};

describe('the comparison of sets', () => {
  const editor = suiteWindow(() => ({
    files: {
      'card.html': card,
      'variables/card/spring.json': JSON.stringify(sets.spring),
      'variables/card/winter.json': JSON.stringify(sets.winter),
    },
    open: 'card.html',
    viewport: { width: 1400, height: 900 },
    forwardsPorts: true,
  }));
  let page: Page;
  let panel: Frame;

  /** What a side shows: the title, and how far its bar is, in percent. */
  async function shownOn(side: 0 | 1): Promise<{ title: string; bar: number } | undefined> {
    const [left, right] = panel.childFrames();
    const frames = (side === 0 ? left : right)?.childFrames() ?? [];
    // While a page is loaded again, the one before is still there; the new one is the first.
    const found = await frames.at(0)?.evaluate(() => {
      const bar = document.querySelector('#bar');
      const title = document.querySelector('h1')?.textContent ?? '';
      return { title, bar: bar ? Math.round((bar.getBoundingClientRect().width / 640) * 100) : -1 };
    });
    return found;
  }
  const titles = async () => [(await shownOn(0))?.title, (await shownOn(1))?.title];
  const bars = async () => [(await shownOn(0))?.bar, (await shownOn(1))?.bar];
  const patient = { timeout: 60_000 };
  const seekTo = (frame: number) =>
    panel.$eval(
      'footer input',
      (one, value) => {
        (one as HTMLInputElement).value = String(value);
        one.dispatchEvent(new Event('input'));
      },
      frame,
    );

  beforeAll(() => {
    ({ page } = editor);
  });

  test('shows two sets at the time of the poster frame', async () => {
    await runCommand(page, 'Framework: Compare Sets…');
    panel = await frameWith(page, 'footer input[type=range]');
    await expect.poll(titles, patient).toEqual(['Spring', 'Winter']);
    await expect.poll(bars, patient).toEqual([50, 50]);
    await saveScreenshot(page, 'compare-sets');
  });

  test('seeks both', async () => {
    await seekTo(20);
    await expect.poll(bars, patient).toEqual([10, 10]);
    expect(await panel.$eval('output', (one) => one.textContent)).toBe('0.80 / 8.00 s');
    await panel.focus('footer input');
    for (let count = 0; count < 20; count++) await page.keyboard.press('ArrowRight');
    await expect.poll(bars, patient).toEqual([20, 20]);
  });

  test('moves both with the keyboard, also while a page has the focus', async () => {
    await panel.click('section:first-child iframe');
    for (const [key, expected] of [
      ['Home', 0],
      ['End', 99],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(bars, patient).toEqual([expected, expected]);
    }
    await seekTo(20);
  });

  test('plays both, and pauses them at the same frame', async () => {
    await panel.click('.play');
    const isPlaying = async () => ((await bars()) as number[]).every((bar) => bar > 25);
    await expect.poll(isPlaying, patient).toBe(true);
    await panel.click('.play');
    const isEqual = async () => {
      const [left, right] = await bars();
      return left === right && (left ?? 0) > 25;
    };
    await expect.poll(isEqual, patient).toBe(true);
    await saveScreenshot(page, 'compare-sets-playing');
  });

  test('shows other values on one side, at the same time', async () => {
    await seekTo(100);
    await panel.select('section:first-child select', 'defaults');
    await expect.poll(titles, patient).toEqual(['Plain', 'Winter']);
    await expect.poll(bars, patient).toEqual([50, 50]);
    await saveScreenshot(page, 'compare-sets-defaults');
  });

  test('follows changes of a set', async () => {
    const changed = { ...sets.winter, title: 'Snow' };
    await writeFile(editor.inFolder('variables/card/winter.json'), JSON.stringify(changed));
    await expect.poll(titles, patient).toEqual(['Plain', 'Snow']);
  });

  test('shows the sizes of the composition in a new preview, side by side', async () => {
    await runCommand(page, 'Framework: Compare Sizes');
    const preview = await frameWith(page, '.others iframe');
    expect(await preview.$$eval('.others iframe', (frames) => frames.map(({ title }) => title))).toEqual(['9:16']);
    await saveScreenshot(page, 'compare-sizes');
  });
});
