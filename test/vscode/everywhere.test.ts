// Commands wherever the user is, one history of undo, and projects that are renamed.
import { existsSync } from 'node:fs';
import type { Frame, Page } from 'puppeteer-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { core } from '../support/suites.ts';
import { icon, suiteWindow } from '../support/vscode/suiteWindow.ts';
import {
  frameWith,
  goTo,
  openFile,
  pressWithControl,
  runCommand,
  selectors,
  waitForNone,
  waitForText,
  waitInFrame,
} from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

const film = `<!doctype html>
<html data-composition-variables='[{"id":"title","type":"string","label":"Title","default":"Halo"}]'>
  <head><style>:root { --ink: #aa0000 } #root { --ink: #0000aa } #line { color: var(--ink) }</style></head>
  <body style="margin: 0; font: 40px sans-serif">
    <div id="root" data-composition-id="main" data-width="640" data-height="360" data-duration="4">
      <h1 data-var-text="title"></h1>
      <p id="line" data-start="0" data-duration="2">Welcome</p>
    </div>
  </body>
</html>
`;
const rows = 'title\nOne\nTwo\nThree\n';

describe('an empty folder', () => {
  const editor = suiteWindow(() => ({
    copies: [],
    files: { 'notes.txt': '' },
    viewport: { width: 1400, height: 900 },
  }));

  test('offers a new composition, and nothing else', async () => {
    const { page } = editor;
    await (await page.waitForSelector(icon, { timeout: 60_000 }))?.click();
    const buttons = '.welcome-view-content .monaco-button';
    await waitForText(page, buttons, 'New Composition');
    const titles = () => page.$$eval('.pane-header h3', (all) => all.map(({ textContent }) => textContent));
    await saveScreenshot(page, 'empty-folder');
    expect(await page.$$eval(buttons, (all) => all.map(({ textContent }) => textContent))).toEqual(['New Composition']);
    expect(await titles()).toEqual(['Compositions', 'Videos']);
  });

  test('shows the blank composition in the gallery', async () => {
    const { page } = editor;
    await runCommand(page, 'Framework: New Composition…');
    const gallery = await frameWith(page, '.grid button');
    await waitInFrame(gallery, '.grid .title', 'Blank');
    await gallery.type('input[type=search]', 'blank');
    await saveScreenshot(page, 'gallery-blank');
    await runCommand(page, 'View: Close Editor');
  });
});

describe('a project in a folder', () => {
  const editor = suiteWindow(() => ({
    copies: [],
    files: { 'film/index.html': `\uFEFF${film}`, 'film/rows.csv': rows },
    open: 'film/rows.csv',
    viewport: { width: 1400, height: 900 },
    forwardsPorts: true,
  }));
  let page: Page;
  let preview: Frame;
  const lenses = (wanted: string) =>
    page.$$eval(selectors.lens, (all) => all.map((one) => one.textContent).join('|')).then((all) => all.split(wanted));

  beforeAll(() => {
    ({ page } = editor);
  });

  test('has a lens for the row at the cursor only', async () => {
    await goTo(page, rows, 'Two', 1);
    await waitForText(page, selectors.lens, 'Render this row');
    expect((await lenses('Render this row')).length - 1).toBe(1);
    await saveScreenshot(page, 'row-lens');
  });

  test('is rendered from its data file, and without any open file', core, async () => {
    await runCommand(page, 'Framework: Render…');
    await waitInFrame(await frameWith(page, '.dialog .columns'), 'header h1', 'Render film');
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Framework: Render Rows…');
    const dialog = await frameWith(page, '.head-row');
    await waitInFrame(dialog, '.head-row .cell', 'Title');
    await runCommand(page, 'View: Close All Editors');
  });

  test('undoes edits of all kinds in their order', core, async () => {
    await openFile(page, 'index.html');
    await runCommand(page, 'Framework: Open Preview to the Side');
    preview = await frameWith(page, '.stage iframe.shown');
    await runCommand(page, 'Framework: Show Variables');
    const form = await frameWith(page, '.field input[type=text]');
    await form.click('.field input[type=text]', { count: 3 });
    await page.keyboard.type('Vega');
    const shown = (text: string) =>
      preview.waitForFunction(
        (wanted) => {
          const frame = document.querySelector<HTMLIFrameElement>('iframe.shown');
          return frame?.contentDocument?.body.textContent?.includes(wanted);
        },
        { timeout: 60_000 },
        text,
      );
    await shown('Vega');
    // The timeline replaces its clips when the page is loaded again, so a click could miss one.
    const focus = (selector: string) =>
      preview.evaluate((wanted) => document.querySelector<HTMLElement>(wanted)?.focus(), selector);
    await preview.click('.stage', { offset: { x: 5, y: 5 } });
    await focus('.clip');
    await page.keyboard.down('Alt');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.up('Alt');
    await waitForText(page, selectors.editor, 'data-start="0.03');
    const undo = async (note: string) => {
      await preview.click('.stage', { offset: { x: 5, y: 5 } });
      await pressWithControl(page, 'z');
      await waitInFrame(preview, '.note', note);
    };
    await undo('Undone: clip moved');
    await waitForText(page, selectors.editor, 'data-start="0"');
    await saveScreenshot(page, 'undone');
    await undo('Undone: value of title changed');
    await shown('Halo');
    await undo('There is nothing to undo.');
  });

  test('finds the definition of a color that is used with var()', async () => {
    const at = await preview.evaluate(() => {
      const frame = document.querySelector<HTMLIFrameElement>('iframe.shown');
      const box = frame?.contentDocument?.querySelector('#line')?.getBoundingClientRect();
      const outer = frame?.getBoundingClientRect();
      if (!frame || !box || !outer) throw new Error('not shown');
      const scale = outer.width / frame.clientWidth;
      return { x: outer.x + (box.x + 10) * scale, y: outer.y + (box.y + box.height / 2) * scale };
    });
    const stage = await (await preview.$('html'))?.boundingBox();
    await page.mouse.click((stage?.x ?? 0) + at.x, (stage?.y ?? 0) + at.y, { button: 'right' });
    await preview.waitForSelector('.menu:popover-open');
    expect(await preview.$eval('.menu input[type=color]', (field) => (field as HTMLInputElement).value)).toBe(
      '#0000aa',
    );
    await saveScreenshot(page, 'color-of-property');
    await page.keyboard.press('Escape');
  });

  test('follows when its folder is renamed', core, async () => {
    await runCommand(page, 'File: Focus on Files Explorer');
    const folder = '.explorer-folders-view .monaco-list-row[aria-label^="film"]';
    await (await page.waitForSelector(folder))?.click();
    await page.keyboard.press('F2');
    await page.waitForSelector('.explorer-item-edited input');
    await pressWithControl(page, 'a');
    await page.keyboard.type('movie');
    await page.keyboard.press('Enter');
    await waitForText(page, '.tab', 'Preview movie');
    const moved = await frameWith(page, '.stage iframe.shown');
    await waitInFrame(moved, 'body', '');
    await waitForNone(page, '.tab[aria-label*="Preview film"]');
    expect(existsSync(editor.inFolder('movie/index.html'))).toBe(true);
    await saveScreenshot(page, 'renamed');
  });
});
