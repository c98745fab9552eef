// Texts that are edited in the live preview: edits of the text that undo takes back.
import { readFile } from 'node:fs/promises';
import type { Frame, Page } from 'puppeteer-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { core } from '../support/suites.ts';
import { suiteWindow } from '../support/vscode/suiteWindow.ts';
import {
  frameWith,
  pressWithControl,
  runCommand,
  selectors,
  typeValue,
  waitForInput,
  waitForNone,
  waitForText,
} from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

const source = `<!doctype html>
<html data-composition-variables='[{"id":"name","type":"string","label":"Name","default":"Halo"}]'>
  <style>
    #greeting { color: #aa0000; background: #ffeedd }
  </style>
  <body style="margin: 0">
    <div data-composition-id="main" data-width="640" data-height="360" data-duration="4" style="font: 40px sans-serif">
      <h1 id="greeting">Hello &amp; welcome</h1>
      <p id="name" data-var-text="name"></p>
    </div>
  </body>
</html>
`;

describe('texts in the preview', () => {
  const editor = suiteWindow(() => ({
    files: { 'texts.html': source },
    open: 'texts.html',
    settings: { 'editor.minimap.enabled': false, 'framework.preview.reload': 'onSave' },
    forwardsPorts: true,
  }));
  let page: Page;
  let preview: Frame;
  const path = () => editor.inFolder('texts.html');
  const waitForContent = (id: string, text: string) =>
    preview.waitForFunction(
      (selector, wanted) => {
        const shown = document.querySelector<HTMLIFrameElement>('iframe.shown')?.contentDocument;
        return shown?.querySelector(selector)?.textContent === wanted;
      },
      { timeout: 60_000 },
      id,
      text,
    );

  /** Where an element is in the window, a little to the right of its left edge. */
  async function pointIn(id: string): Promise<{ x: number; y: number }> {
    const stage = await (await preview.$('.stage'))?.boundingBox();
    const at = await preview.evaluate((selector) => {
      const frame = document.querySelector<HTMLIFrameElement>('iframe.shown');
      const box = frame?.contentDocument?.querySelector(selector)?.getBoundingClientRect();
      const [outer, own] = [frame?.getBoundingClientRect(), document.querySelector('.stage')?.getBoundingClientRect()];
      if (!frame || !box || !outer || !own) throw new Error(`${selector} is not shown`);
      const scale = outer.width / frame.clientWidth;
      return {
        x: outer.x - own.x + (box.x + 10) * scale,
        y: outer.y - own.y + (box.y + box.height / 2) * scale,
      };
    }, id);
    return { x: (stage?.x ?? 0) + at.x, y: (stage?.y ?? 0) + at.y };
  }

  /** Repeats an action that opens something. The preview ignores the pointer until it shows the text of the last edit. */
  async function until(opened: string, act: () => Promise<void>): Promise<void> {
    for (let attempts = 5; ; attempts--) {
      await act();
      const error = await preview.waitForSelector(opened, { timeout: 5_000 }).then(
        () => undefined,
        (reason: Error) => reason,
      );
      if (!error) return;
      if (attempts === 1) throw error;
    }
  }

  /** Opens the field of a text. */
  async function doubleClick(id: string): Promise<void> {
    const at = await pointIn(id);
    await until('.stage.editing', () => page.mouse.click(at.x, at.y, { count: 2 }));
  }

  /** Opens the popup of an element. */
  async function openMenu(id: string): Promise<void> {
    const at = await pointIn(id);
    await until('.menu:popover-open', () => page.mouse.click(at.x, at.y, { button: 'right' }));
  }

  /** Chooses a value in a field of the popup. The system's own color picker cannot be driven. */
  const choose = (selector: string, value: string) =>
    preview.$eval(
      selector,
      (field, chosen) => {
        (field as HTMLInputElement).value = chosen;
        for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
      },
      value,
    );
  /** Waits until the preview shows a page with this text. A popup that is opened before would be closed then. */
  const waitForPage = (text: string) =>
    preview.waitForFunction(
      (wanted) => {
        const shown = document.querySelector<HTMLIFrameElement>('iframe.shown')?.contentDocument;
        return shown?.documentElement.outerHTML.includes(wanted);
      },
      { timeout: 60_000 },
      text,
    );

  async function undo(): Promise<void> {
    await runCommand(page, 'View: Focus First Editor Group');
    await pressWithControl(page, 'z');
    await waitForNone(page, '.tab.dirty');
  }

  beforeAll(async () => {
    ({ page } = editor);
    await runCommand(page, 'Framework: Open Preview to the Side');
    preview = await frameWith(page, '.clips, .timeline, .stage iframe.shown');
    await waitForContent('#greeting', 'Hello & welcome');
  });

  test('changes a literal with edits of the text that undo takes back, also with reload on save', core, async () => {
    await doubleClick('#greeting');
    await page.keyboard.type('Bonjour');
    await saveScreenshot(page, 'text-field');
    await page.keyboard.press('Enter');
    await waitForText(page, selectors.editor, '<h1 id="greeting">Bonjour</h1>');
    await waitForContent('#greeting', 'Bonjour');
    // A second edit of the unsaved file.
    await doubleClick('#greeting');
    await page.keyboard.type('A < B');
    await page.keyboard.press('Enter');
    await waitForText(page, selectors.editor, '<h1 id="greeting">A &lt; B</h1>');
    expect(await readFile(path(), 'utf8')).toBe(source);
    await waitForContent('#greeting', 'A < B');
    await runCommand(page, 'View: Focus First Editor Group');
    await pressWithControl(page, 'z');
    await waitForText(page, selectors.editor, '<h1 id="greeting">Bonjour</h1>');
    await pressWithControl(page, 'z');
    await waitForText(page, selectors.editor, '<h1 id="greeting">Hello &amp; welcome</h1>');
    await waitForNone(page, '.tab.dirty');
    await waitForContent('#greeting', 'Hello & welcome');
  });

  test('changes the color of a rule from the popup of an element', async () => {
    await openMenu('#greeting');
    await saveScreenshot(page, 'element-menu');
    await choose('.menu input[aria-label=Background]', '#336699');
    await waitForText(page, selectors.editor, '#336699 }');
    await preview.waitForFunction(
      () => {
        const shown = document.querySelector<HTMLIFrameElement>('iframe.shown')?.contentDocument;
        const greeting = shown?.querySelector('#greeting');
        return greeting && getComputedStyle(greeting).backgroundColor === 'rgb(51, 102, 153)';
      },
      { timeout: 60_000 },
    );
    await undo();
    await waitForText(page, selectors.editor, '#ffeedd }');
    await waitForPage('#ffeedd');
  });

  test('turns a text into a variable, with one undo step', async () => {
    await openMenu('#greeting');
    // The focus is on the first button of the popup, which is that of the text.
    await page.keyboard.press('Enter');
    await waitForInput(page, 'Add Variable');
    await typeValue(page, 'name');
    await waitForText(page, selectors.inputMessage, '"name" is already declared in texts.html, line 2.');
    await saveScreenshot(page, 'add-variable-name');
    await typeValue(page, 'welcome');
    await waitForText(page, selectors.inputMessage, 'Styles read it as');
    await page.keyboard.press('Enter');
    await waitForText(page, selectors.editor, '<h1 id="greeting" data-var-text="welcome">');
    await waitForText(page, selectors.editor, '"id":"welcome","type":"string"');
    await saveScreenshot(page, 'added-text-variable');
    // Before, the preview takes the focus, which would close the Command Palette.
    await waitForPage('data-var-text="welcome"');
    await undo();
    await waitForText(page, selectors.editor, '<h1 id="greeting">Hello');
    expect(await readFile(path(), 'utf8')).toBe(source);
  });
});
