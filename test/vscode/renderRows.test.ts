// The rows of a data file in the render dialog: cells, problems, edits of the text, and the videos of chosen rows.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Page } from 'puppeteer-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { openFolder, suiteWindow } from '../support/vscode/suiteWindow.ts';
import {
  clickAt,
  closeNotifications,
  frameWith,
  openFile,
  pressButton,
  pressWithControl,
  runCommand,
  selectors,
  waitForNone,
  waitForText,
  waitInFrame,
} from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

const card = `<!doctype html>
<html data-composition-variables='[
  {"id":"name","type":"string","label":"Name","default":"Ada"},
  {"id":"size","type":"number","label":"Size","default":30,"min":10,"max":60},
  {"id":"color","type":"color","label":"Color","default":"#3366ff"},
  {"id":"shown","type":"boolean","label":"Shown","default":true},
  {"id":"side","type":"enum","label":"Side","options":[{"value":"left","label":"Left"},{"value":"right","label":"Right"}],"default":"left"}]'>
<head><style>body, h1 { margin: 0 } #card { width: 160px; height: 90px; background: var(--color); color: #fff }</style></head>
<body><div id="card" data-composition-id="card" data-width="160" data-height="90" data-duration="0.5" data-fps="10">
<h1 data-var-text="name"></h1></div>
<script>if (__framework.getVariables().name === 'Cy') throw new Error('not this one');</script></body></html>
`;
const rows = `[
  { "name": "Ada", "size": 20 },
  { "name": "Bo", "size": "big", "colour": "#ff0000" },
  { "name": "Cy", "side": "right" },
  { "name": "Di", "shown": false }
]
`;

describe('the rows in the render dialog', () => {
  const guests = Array.from({ length: 1000 }, (_, at) => `Guest ${at},20\n`).join('');
  const editor = suiteWindow(() => ({
    files: { 'card.html': card, 'card.rows.json': rows, 'card.batch.csv': `name,size\n${guests}` },
    open: 'card.rows.json',
    viewport: { width: 1400, height: 900 },
  }));
  const { inFolder } = editor;
  let page: Page;
  let dialog: Frame;

  /** The selector of a cell's input: rows and columns count from 0. */
  const cell = (row: number, column: number) =>
    `.row-body .row:nth-child(${row + 1}) .cell:nth-child(${column + 4}) :is(input:not([type=color]), select)`;
  const image = (row: number) => `.row-body .row:nth-child(${row + 1}) .image-cell`;
  const type = async (row: number, column: number, text: string) => {
    await dialog.click(cell(row, column), { count: 3 });
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  const check = (row: number) => dialog.click(`.row-body .row:nth-child(${row + 1}) .number-cell input`);
  const clickLens = (text: string) => page.locator(`${selectors.lensLink}::-p-text(${text})`).click();
  const textOf = (uri: string) =>
    page.evaluate(
      () => `${[...document.querySelectorAll('.view-line')].map((line) => line.textContent).join('\n')}`,
      uri,
    );

  beforeAll(() => {
    ({ page } = editor);
  });

  test('shows the rows with their problems', async () => {
    await runCommand(page, 'Framework: Render Rows…');
    dialog = await frameWith(page, 'body.dialog.has-rows .row-body .row');
    await waitInFrame(dialog, '.row-count', 'Rows: 4 · problems: 2, in rows: 1');
    // The second row is invalid, so it is not chosen.
    await waitInFrame(dialog, '.summary', '3 videos, each 160 × 90');
    await waitInFrame(dialog, '.estimates .primary', 'Render 3 Rows');
    expect(await dialog.$$eval('.head-row .cell', (all) => all.map((one) => one.textContent))).toEqual([
      '',
      'Image',
      'Video',
      'Name',
      'Size',
      'Color',
      'Shown',
      'Side',
      'colour',
    ]);
    expect(await dialog.$$eval('.cell.invalid', (all) => all.map((one) => (one as HTMLElement).title))).toEqual([
      expect.stringContaining('Variable "size" must be a number'),
      expect.stringContaining('"colour" is not declared'),
    ]);
    await saveScreenshot(page, 'render-rows');
  });

  test('shows the poster frame of each row with its values, or why there is none', async () => {
    await dialog.waitForSelector(`${image(0)} img`);
    await dialog.waitForSelector(`${image(3)} img`);
    const problem = () => dialog.$eval(image(2), (one) => (one as HTMLElement).title);
    await expect.poll(problem, { timeout: 60_000 }).toContain('not this one');
    // The size in the second row is not a number.
    expect(await dialog.$$eval('.image-cell', (all) => all.map((one) => one.querySelector('img') !== null))).toEqual([
      true,
      false,
      false,
      true,
    ]);
    const size = await dialog.$eval(`${image(0)} img`, (one) => {
      const { naturalWidth, naturalHeight, width } = one as HTMLImageElement;
      return [naturalWidth, naturalHeight, width];
    });
    expect(size).toEqual([160, 90, 96]);
    const colorOf = (row: number) =>
      dialog.$eval(`${image(row)} img`, (one) => {
        const context = new OffscreenCanvas(1, 1).getContext('2d');
        context?.drawImage(one as HTMLImageElement, 150, 80, 1, 1, 0, 0, 1, 1);
        return [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3).map((value) => Math.round(value / 16));
      });
    expect(await colorOf(0)).toEqual([3, 6, 16]);
    await type(0, 2, '#ff0000');
    await expect.poll(() => colorOf(0), { timeout: 60_000 }).toEqual([16, 0, 0]);
    expect(await colorOf(3)).toEqual([3, 6, 16]);
    await saveScreenshot(page, 'render-rows-images');
    await dialog.click(cell(0, 2), { count: 3 });
    for (const key of ['Backspace', 'Enter'] as const) await page.keyboard.press(key);
    await expect.poll(() => colorOf(0), { timeout: 60_000 }).toEqual([3, 6, 16]);
  });

  test('an edit of a cell is one edit of the text, which undo in the editor reverts', async () => {
    await type(1, 1, '25');
    await waitInFrame(dialog, '.row-count', 'problems: 1, in rows: 1');
    await dialog.select(cell(0, 4), 'right');
    await dialog.click(cell(0, 3));
    await dialog.waitForFunction(
      (where: string) => !(document.querySelector(where) as HTMLInputElement).checked,
      {},
      cell(0, 3),
    );
    await runCommand(page, 'View: Open Previous Editor');
    await waitForText(page, selectors.editor, '{ "name": "Ada", "size": 20, "side": "right", "shown": false }');
    expect(await textOf('')).toContain('{ "name": "Bo", "size": 25, "colour": "#ff0000" }'.replaceAll(' ', '\u00a0'));
    await clickAt(page, `${selectors.editor} .view-line`);
    await pressWithControl(page, 'z');
    await waitForText(page, selectors.editor, '{ "name": "Ada", "size": 20, "side": "right" }');
    await runCommand(page, 'View: Open Previous Editor');
    dialog = await frameWith(page, 'body.dialog.has-rows .row-body .row');
    await waitInFrame(dialog, '.row-count', 'problems: 1, in rows: 1');
    expect(await dialog.$eval(cell(0, 3), (one) => (one as HTMLInputElement).checked)).toBe(true);
  });

  test('adds, duplicates and removes rows', async () => {
    await dialog.click('.row-bar .secondary');
    await waitInFrame(dialog, '.row-count', 'Rows: 5');
    await dialog.hover('.row-body .row:nth-child(1)');
    await dialog.click('.row-body .row:nth-child(1) .row-actions button:first-child');
    await waitInFrame(dialog, '.row-count', 'Rows: 6');
    // The names are not unique any more, so the videos are named by their numbers.
    await dialog.waitForSelector('input[placeholder="renders/card/{index}.mp4"]');
    for (const last of [5, 1]) {
      await dialog.hover(`.row-body .row:nth-child(${last + 1})`);
      await dialog.click(`.row-body .row:nth-child(${last + 1}) .row-actions button:last-child`);
      await waitInFrame(dialog, '.row-count', last === 5 ? 'Rows: 5' : 'Rows: 4');
    }
  });

  test('copies the command for the chosen rows', async () => {
    await check(1);
    await waitInFrame(dialog, '.estimates .primary', 'Render 3 Rows');
    await dialog.click('.estimates .secondary');
    await waitForText(page, selectors.notification, 'Copied the command');
    await closeNotifications(page);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `framework render ${editor.folder} --composition card.html --batch=${inFolder('card.rows.json')} --rows=1,3-4 '--output=renders/card/{name}.mp4'`,
    );
  });

  test('renders the chosen rows, shows how each ended, and opens a video', async () => {
    await dialog.click('.estimates .primary');
    await waitForText(page, selectors.dialog, 'card.rows.json has unsaved changes');
    // Not the Enter key: the browser may still send it to the webview, where the last click was.
    await pressButton(page, 'Save and Render', selectors.dialogButton);
    await waitForNone(page, selectors.dialog);
    await waitForText(page, selectors.notification, /2 of 3 rows rendered, 1 failed/);
    await closeNotifications(page);
    await waitInFrame(dialog, '.row-body .row:nth-child(1) .video-cell', 'Open');
    await waitInFrame(dialog, '.row-body .row:nth-child(3) .video-cell', 'Failed');
    await waitInFrame(dialog, '.row-body .row:nth-child(4) .video-cell', 'Open');
    expect(['Ada', 'Bo', 'Cy', 'Di'].map((name) => existsSync(inFolder(`renders/card/${name}.mp4`)))).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(
      await dialog.$eval('.row-body .row:nth-child(3) .video-cell', (one) => (one as HTMLElement).title),
    ).toContain('not this one');
    expect(readFileSync(inFolder('card.rows.json'), 'utf8')).toContain('"size": 25');
    await saveScreenshot(page, 'render-rows-done');
    await dialog.click('.row-body .row:nth-child(4) .video-cell button');
    await waitForText(page, '.tab.active', 'Di.mp4');
    await runCommand(page, 'View: Close Editor');
  });

  test('shows 1,000 rows of a CSV file', async () => {
    dialog = await frameWith(page, 'body.dialog.has-rows .row-body .row');
    await dialog.select(
      'header select',
      ...(await dialog.$$eval('header option', (all) =>
        all.flatMap((one) => (one.textContent?.includes('csv') ? [(one as HTMLOptionElement).value] : [])),
      )),
    );
    await waitInFrame(dialog, '.row-count', 'Rows: 1000 · no problems');
    await dialog.$eval('.row-scroll', (one) => one.scrollTo(0, one.scrollHeight));
    await dialog.waitForFunction(
      () => document.querySelector('.row-body .row:last-child .row-number')?.textContent === '1000',
    );
    expect(await dialog.$$eval('.row-body .row', (all) => all.length)).toBeLessThan(60);
    const value = await dialog.$eval(
      '.row-body .row:last-child .cell:nth-child(4) input',
      (one) => (one as HTMLInputElement).value,
    );
    expect(value).toBe('Guest 999');
    // Images are captured only for the rows that the user sees.
    const images = '.row-body .image-cell:is(.waiting, :has(img))';
    await dialog.waitForSelector(`${images} img`);
    const numbers = await dialog.$$eval(images, (all) =>
      all.map((one) => Number(one.parentElement?.querySelector('.row-number')?.textContent)),
    );
    expect(Math.min(...numbers)).toBeGreaterThan(980);
    await saveScreenshot(page, 'render-rows-many');
  });

  test('opens the rows from the code lenses of the composition and of the file', async () => {
    await runCommand(page, 'View: Close All Editors');
    await openFile(page, 'card.html');
    await waitForText(page, selectors.lens, 'Render Rows…');
    await saveScreenshot(page, 'render-rows-lens');
    await clickLens('Render Rows…');
    dialog = await frameWith(page, 'body.dialog.has-rows .row-body .row');
    await waitInFrame(dialog, '.row-count', 'Rows: 1000');
    await openFile(page, 'card.rows.json');
    await waitForText(page, selectors.lens, /^Render Rows… \| Render all 4 rows$/);
    await clickLens('Render Rows…');
    dialog = await frameWith(page, 'body.dialog.has-rows .row-body .row');
    await waitInFrame(dialog, '.row-count', 'Rows: 4');
  });

  test('starts in a folder whose only batch file is named after its composition', async () => {
    const folder = inFolder('../cards');
    await mkdir(folder);
    await writeFile(join(folder, 'card.html'), card);
    await writeFile(join(folder, 'card.rows.json'), rows);
    const window = await openFolder(editor, folder, 'card.rows.json');
    await waitForText(window, selectors.lens, /^Render Rows… \| Render all 4 rows$/);
  });
});
