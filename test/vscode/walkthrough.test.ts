// Getting started in an empty folder: a new composition, the walkthrough, a snippet, two refactorings.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { Page } from 'puppeteer-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { core } from '../support/suites.ts';
import { docImage } from '../support/vscode/docImage.ts';
import { suiteWindow } from '../support/vscode/suiteWindow.ts';
import {
  frameWith,
  goTo,
  openFile,
  pressWithControl,
  runCommand,
  selectors,
  typeValue,
  waitForNone,
  waitForText,
  waitInFrame,
} from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

/** Saves a screenshot, in the documentation when UPDATE_SCREENSHOTS is set. */
async function show(page: Page, name: string): Promise<void> {
  if (process.env.UPDATE_SCREENSHOTS) await docImage(page, name);
  else await saveScreenshot(page, name);
}

const plain = `<!doctype html>
<html>
  <body>
    <div data-composition-id="main" data-width="640" data-height="360" data-duration="4">
      <section id="card" data-start="1" data-duration="2">
        <h1>Hello there</h1>
      </section>
    </div>
  </body>
</html>
`;

const row = '.action-widget .monaco-list-row';
const done = (id: string) => `.codicon.complete[data-done-step-id$="${id}"]`;
const toDo = (id: string) => `.codicon[data-done-step-id$="${id}"]:not(.complete)`;

describe('getting started', () => {
  const editor = suiteWindow(() => ({
    copies: [],
    files: { 'own/plain.html': plain },
    forwardsPorts: true,
    settings: { 'workbench.reduceMotion': 'off' },
  }));
  const { inFolder } = editor;
  let page: Page;
  const read = (path: string) => readFile(inFolder(path), 'utf8');

  beforeAll(() => {
    ({ page } = editor);
  });

  test('creates a composition from an example, and a second one with another name', core, async () => {
    await runCommand(page, 'Framework: New Composition…');
    const gallery = await frameWith(page, '.grid button');
    await waitInFrame(gallery, '.grid', 'Release notes');
    await gallery.waitForFunction(() => [...document.images].every(({ naturalWidth }) => naturalWidth > 0));
    await show(page, 'new-composition');
    await page.keyboard.type('lower');
    await gallery.waitForFunction(() => document.querySelectorAll('.grid button:not([hidden])').length === 1);
    await page.keyboard.press('Enter');
    await waitForText(page, selectors.inputMessage, 'Folder name');
    await page.keyboard.press('Enter');
    await waitForText(page, '.tab.active', 'index.html');
    await waitForText(page, selectors.editor, 'data-composition-variables');
    expect((await readdir(inFolder('lower-third'))).sort()).toEqual(['index.html', 'rows.json']);
    // The preview plays the video once, and then shows the poster frame.
    const preview = await frameWith(page, '.stage .screens');
    await preview.waitForFunction(() => Number(/Frame (\d+)/.exec(document.body.innerText)?.[1]) > 100, {
      polling: 50,
    });
    await waitInFrame(preview, '.bar', 'Frame 45 of 180');
    await saveScreenshot(page, 'new-composition-preview');

    await runCommand(page, 'Framework: New Composition…');
    await frameWith(page, '.grid button');
    await page.keyboard.type('lower');
    await page.keyboard.press('Enter');
    await waitForText(page, selectors.inputMessage, 'Folder name');
    await typeValue(page, 'lower-third');
    await waitForText(page, selectors.inputMessage, 'lower-third already exists. Choose another name.');
    await typeValue(page, 'titles');
    await waitForText(page, selectors.inputMessage, 'Folder name');
    await page.keyboard.press('Enter');
    await vi.waitUntil(() => existsSync(inFolder('titles/rows.json')), { timeout: 60_000 });
    await waitForText(page, '.tab.active', 'index.html');
    // Each composition opens its preview, which takes the focus for a moment.
    const previews = () =>
      [...document.querySelectorAll('.tab')].filter((tab) => /^Preview/.test(tab.textContent ?? ''));
    await vi.waitUntil(async () => (await page.evaluate(`(${previews})().length`)) === 2, { timeout: 60_000 });
  });

  test('opens the walkthrough, whose steps complete themselves', async () => {
    expect(await page.$('.gettingStartedContainer')).toBeNull();
    await waitForText(page, selectors.lens, 'Render');
    await runCommand(page, 'Framework: Get Started');
    await waitForText(page, '.getting-started-category-title, .category-title', 'Get Started with Framework');
    // A composition is open already.
    await page.waitForSelector(done('compose'));
    await page.waitForSelector(toDo('render'));
    // The image of a step is shown only when the explorer is hidden.
    await pressWithControl(page, 'b');
    await waitForNone(page, '.explorer-folders-view');
    await show(page, 'walkthrough');
    await pressWithControl(page, 'b');
    await openFile(page, 'plain.html');
    await waitForText(page, selectors.lensLink, 'Render');
    await runCommand(page, 'Framework: Render');
    await waitForText(page, selectors.notification, 'Rendered');
    await runCommand(page, 'Framework: Get Started');
    await page.waitForSelector(done('render'));
  });

  test('inserts a clip with a snippet', async () => {
    await openFile(page, 'plain.html');
    await goTo(page, plain, '    </div>\n  </body>', 0);
    // Emmet would expand the whole prefix as an element.
    await page.keyboard.type('fw');
    await pressWithControl(page, 'Space');
    await waitForText(page, selectors.suggestion, 'fw-text');
    await press(page, selectors.suggestion, 'fw-text');
    await waitForText(
      page,
      selectors.editor,
      '<p id="caption" data-start="0" data-duration="2" data-track-index="0">Text</p>',
    );
    await page.keyboard.press('Escape');
    await runCommand(page, 'File: Revert File');
  });

  test('turns the selected text into a variable and prompts for its name', async () => {
    await openFile(page, 'plain.html');
    await goTo(page, plain, 'Hello there', 0);
    await page.keyboard.down('Shift');
    for (let i = 0; i < 'Hello there'.length; i++) await page.keyboard.press('ArrowRight');
    await page.keyboard.up('Shift');
    await pressWithControl(page, '.');
    await waitForText(page, row, 'Add variable "title" for "Hello there"');
    await show(page, 'refactor');
    await press(page, row, 'Add variable');
    await page.waitForFunction(() => document.activeElement?.closest('.rename-box') != null);
    await typeValue(page, 'greeting');
    await page.keyboard.press('Enter');
    await waitForText(page, selectors.editor, 'data-var-text="greeting"');
    await pressWithControl(page, 's');
    await expect
      .poll(() => read('own/plain.html'), { timeout: 20_000 })
      .toContain(`[{"id":"greeting","type":"string","label":"Title","default":"Hello there"}]`);
  });

  test('extracts an element to a file', async () => {
    await openFile(page, 'plain.html');
    await goTo(page, await read('own/plain.html'), '<section', 3);
    await runCommand(page, 'Refactor...');
    await waitForText(page, row, 'Extract to sub-composition "card"');
    await press(page, row, 'Extract to sub-composition');
    await waitForText(page, selectors.editor, 'data-composition-src=');
    await runCommand(page, 'File: Save All Files');
    await expect
      .poll(
        async () => (await readdir(editor.folder, { recursive: true })).filter((path) => path.endsWith('card.html')),
        {
          timeout: 20_000,
        },
      )
      .toHaveLength(1);
    const [path = ''] = (await readdir(editor.folder, { recursive: true })).filter((one) => one.endsWith('card.html'));
    await expect.poll(() => read(path), { timeout: 20_000 }).toContain('data-var-text="greeting">Hello there</h1>');
    expect(await read('own/plain.html')).toContain('data-start="1" data-duration="2"');
  });
});

/** VS Code reacts to mouse events, not to `click()` of a script. */
async function press(page: Page, where: string, text: string): Promise<void> {
  const handles = await page.$$(where);
  for (const handle of handles) {
    if ((await handle.evaluate((element) => element.textContent ?? '')).includes(text)) return handle.click();
  }
  throw new Error(`There is no ${text} in ${where}`);
}
