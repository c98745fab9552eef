// Insert Block: the catalog, the text and the file afterwards, the preview, and undo.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { Page } from 'puppeteer-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { docImage } from '../support/vscode/docImage.ts';
import { suiteWindow } from '../support/vscode/suiteWindow.ts';
import {
  frameWith,
  pressWithControl,
  runCommand,
  selectors,
  waitForNone,
  waitForText,
  waitInFrame,
} from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

const page = `<!doctype html>
<html>
  <body style="margin: 0">
    <div data-composition-id="main" data-width="1280" data-height="720" data-duration="8" style="height: 720px; background: linear-gradient(#284b63, #153243)">
    </div>
  </body>
</html>
`;

describe('blocks', () => {
  const editor = suiteWindow(() => ({
    copies: [],
    files: { 'index.html': page },
    open: 'index.html',
    forwardsPorts: true,
  }));
  const { inFolder } = editor;
  let window: Page;
  const waitForFile = (text: string) =>
    vi.waitFor(async () => expect(await readFile(inFolder('index.html'), 'utf8')).toContain(text), {
      timeout: 60_000,
      interval: 200,
    });

  /** Saves a screenshot, in the documentation when UPDATE_SCREENSHOTS is set. */
  async function show(name: string): Promise<void> {
    if (process.env.UPDATE_SCREENSHOTS) await docImage(window, name);
    else await saveScreenshot(window, name);
  }

  beforeAll(() => {
    window = editor.page;
  });

  test('shows the catalog, and inserts the chosen block at the time of the preview', async () => {
    await runCommand(window, 'Framework: Open Preview to the Side');
    const preview = await frameWith(window, '.stage .screens');
    await waitInFrame(preview, '.bar', '/ 0:08.00');
    // The last frame: the block comes after the composition, which becomes longer.
    await preview.evaluate(() => {
      const buttons = [...document.querySelectorAll('button')];
      buttons.find(({ title, ariaLabel }) => `${title} ${ariaLabel}`.includes('Go to the end'))?.click();
    });
    await waitInFrame(preview, '.bar', 'Frame 239 of 240');
    await runCommand(window, 'Framework: Insert Block…');
    const catalog = await frameWith(window, '.grid button');
    await waitInFrame(catalog, '.target', 'index.html, at 8 s');
    await catalog.waitForFunction(() => [...document.images].every(({ naturalWidth }) => naturalWidth > 0));
    await show('blocks');
    await window.keyboard.type('speaker');
    await window.keyboard.press('Enter');
    await waitForText(window, selectors.editor, 'lower-third');
    await pressWithControl(window, 's');
    await waitForFile('data-duration="13"');
    await waitForFile('data-composition-src="compositions/lower-third.html"\n        data-start="8"');
    expect(await readdir(inFolder('compositions'))).toEqual(['lower-third.html']);
    // The preview shows the block in its middle.
    await preview.waitForFunction(() =>
      [...document.querySelectorAll('input')].some(({ value }) => value === '0:10.00'),
    );
    await saveScreenshot(window, 'blocks-inserted');
  });

  test('undoes the insertion with one step', async () => {
    await runCommand(window, 'Framework: Insert Block…');
    await frameWith(window, '.grid button');
    await window.keyboard.type('bars that grow');
    await window.keyboard.press('Enter');
    await waitForText(window, selectors.editor, 'chart');
    await vi.waitUntil(() => existsSync(inFolder('compositions/chart.html')), { timeout: 60_000 });
    await pressWithControl(window, 'z');
    await vi.waitUntil(() => !existsSync(inFolder('compositions/chart.html')), { timeout: 60_000 });
    await saveScreenshot(window, 'blocks-undo');
    await pressWithControl(window, 's');
    await waitForNone(window, '.tab.active.dirty');
    expect(await readFile(inFolder('index.html'), 'utf8')).not.toContain('chart');
  });
});
