// The live preview: what it shows, which changes it follows, and its messages.
import { rm, writeFile } from 'node:fs/promises';
import { PNG } from 'pngjs';
import type { Page } from 'puppeteer-core';
import { beforeAll, describe, test } from 'vitest';
import { core } from '../support/suites.ts';
import { suiteWindow } from '../support/vscode/suiteWindow.ts';
import {
  closeNotifications,
  frameWith,
  goTo,
  openFile,
  runCommand,
  selectors,
  waitForNone,
  waitForText,
} from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

const plain = `<!doctype html>
<html data-composition-variables='[{"id":"accent","type":"color","label":"Accent","default":"#ff5500"}]'>
  <head>
    <style>
      body { margin: 0; }
      #stage { width: 320px; height: 180px; background: var(--accent); }
      #box { position: absolute; left: 100px; top: 40px; width: 120px; height: 100px; background: #ffffff; }
    </style>
  </head>
  <body>
    <div id="stage" data-composition-id="main" data-width="320" data-height="180" data-duration="2" data-fps="10">
      <div id="box" class="clip" data-start="0" data-duration="2">Box</div>
    </div>
  </body>
</html>
`;

describe('the preview', () => {
  const editor = suiteWindow(() => ({
    files: { 'plain.html': plain },
    open: 'plain.html',
    settings: { 'editor.minimap.enabled': false },
    forwardsPorts: true,
  }));
  const { inFolder } = editor;
  let page: Page;
  let text = plain;

  /** Waits until the preview shows this color at a point of the composition. */
  async function waitForColor(x: number, y: number, expected: readonly number[]): Promise<void> {
    const stage = await frameWith(page, '.stage .screens');
    const end = Date.now() + 40_000;
    for (let seen: number[] = []; ; ) {
      const sheet = await stage.$('.stage .screens');
      const box = await sheet?.boundingBox();
      if (box) {
        const clip = { x: box.x + (x / 320) * box.width, y: box.y + (y / 180) * box.height, width: 1, height: 1 };
        const { data } = PNG.sync.read(Buffer.from(await page.screenshot({ clip })));
        seen = [...data.subarray(0, 3)];
        if (expected.every((channel, at) => Math.abs(channel - (seen[at] ?? -9)) <= 3)) return;
      }
      if (Date.now() > end) throw new Error(`never ${expected} at ${x}, ${y}; there is ${seen}`);
      await new Promise((done) => setTimeout(done, 100));
    }
  }
  async function typeOver(wanted: string, other: string): Promise<void> {
    await runCommand(page, 'View: Focus First Editor Group');
    await goTo(page, text, wanted, 0);
    for (let i = 0; i < wanted.length; i++) await page.keyboard.press('Delete');
    await page.keyboard.type(other);
    text = text.replace(wanted, other);
  }

  beforeAll(() => {
    ({ page } = editor);
  });

  test('shows the composition next to the editor', core, async () => {
    await runCommand(page, 'Framework: Open Preview to the Side');
    await waitForText(page, '.tab', 'Preview plain.html');
    await waitForColor(10, 10, [0xff, 0x55, 0x00]);
    await waitForColor(110, 130, [0xff, 0xff, 0xff]);
    await saveScreenshot(page, 'preview');
  });

  test('shows edits before they are saved', async () => {
    await typeOver('#ffffff', '#00aa55');
    await waitForColor(110, 130, [0x00, 0xaa, 0x55]);
    await page.waitForSelector('.tab.active.dirty');
    await runCommand(page, 'File: Save');
    await waitForNone(page, '.tab.active.dirty');
    await waitForColor(110, 130, [0x00, 0xaa, 0x55]);
  });

  test('shows the values of the form immediately', async () => {
    await runCommand(page, 'Framework: Show Variables');
    const form = await frameWith(page, '.field');
    await form.click('.color input[type=text]', { count: 3 });
    await page.keyboard.type('#0a64c8');
    await waitForColor(10, 10, [0x0a, 0x64, 0xc8]);
    await saveScreenshot(page, 'preview-form');
  });

  test('outlines the element at the cursor, and opens the source of an element', async () => {
    await runCommand(page, 'View: Focus First Editor Group');
    await goTo(page, text, 'id="box"', 0);
    const stage = await frameWith(page, '.outlines > *');
    const sheet = await stage.$('.stage .screens');
    const box = await sheet?.boundingBox();
    if (!box) throw new Error('The preview has no frame.');
    await goTo(page, text, '<!doctype', 0);
    await page.keyboard.down('Alt');
    await page.mouse.click(box.x + (160 / 320) * box.width, box.y + (90 / 180) * box.height);
    await page.keyboard.up('Alt');
    const line = text.slice(0, text.indexOf('<div id="box"')).split('\n').length;
    await waitForText(page, selectors.cursorPosition, `Ln ${line}`);
  });

  test('lists errors in the Problems view until they are fixed', async () => {
    await typeOver('</body>', '<script>nobody.there();</script></body>');
    await runCommand(page, 'Problems: Focus on Problems View');
    await waitForText(page, selectors.problem, 'nobody is not defined');
    await saveScreenshot(page, 'preview-problems');
    await typeOver('nobody.there();', 'void 0;');
    await runCommand(page, 'Problems: Focus on Problems View');
    await waitForNone(page, `${selectors.problem} .codicon-error`);
    await runCommand(page, 'View: Toggle Panel Visibility');
  });

  test('is restored after a window reload', async () => {
    await runCommand(page, 'View: Focus First Editor Group');
    await runCommand(page, 'File: Save');
    await waitForNone(page, '.tab.active.dirty');
    // Without `openFile`, which would replace the open editors.
    const folder = new URLSearchParams({ folder: editor.folder });
    await page.goto(`http://${editor.workbench.authority}/?${folder}`);
    await page.waitForSelector(selectors.runButton, { timeout: 60_000 });
    await waitForText(page, '.tab', 'Preview plain.html');
    await waitForColor(110, 130, [0x00, 0xaa, 0x55]);
  });

  test('explains that a page is not a composition', async () => {
    await writeFile(inFolder('page.html'), '<!doctype html><html><body><p>Not here.</p></body></html>');
    await openFile(page, 'page.html');
    await runCommand(page, 'Framework: Open Preview to the Side');
    await waitForText(page, selectors.notification, 'page.html is not a composition');
    await closeNotifications(page);
    await rm(inFolder('page.html'));
  });
});
