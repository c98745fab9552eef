// The variables form in the sidebar and in a render panel, its sets and its actions.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Frame, Page } from 'puppeteer-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { decode } from '../support/renders/video.ts';
import { core } from '../support/suites.ts';
import { suiteWindow } from '../support/vscode/suiteWindow.ts';
import {
  clickAt,
  closeNotifications,
  frameWith,
  goTo,
  openFile,
  pressButton,
  pressWithControl,
  runCommand,
  selectors,
  typeValue,
  waitForInput,
  waitForNone,
  waitForText,
  waitInFrame,
} from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

describe('the variables form', () => {
  const editor = suiteWindow(() => ({ open: 'index.html' }));
  const { inFolder } = editor;
  let page: Page;
  let form: Frame;
  const control = (id: string) => `.field[data-id="${id}"]`;
  const readJson = async (path: string) => JSON.parse(await readFile(inFolder(path), 'utf8'));

  /** Replaces the content of a field. */
  async function fillIn(frame: Frame, selector: string, text: string): Promise<void> {
    // Keys go to the clicked element. A triple click selects everything.
    await frame.click(selector, { count: 3 });
    if (text === '') await page.keyboard.press('Delete');
    else await page.keyboard.type(text);
  }
  const shownIn = (selector: string) => form.$eval(selector, (one) => (one as HTMLInputElement).value);
  const changedFields = () =>
    form.$$eval('.field.changed', (all) => all.map((field) => field.getAttribute('data-id')).join());
  const button = (name: string) => form.click(`button[aria-label="${name}"]`);

  beforeAll(() => {
    ({ page } = editor);
  });

  test('shows a field of the right kind for each variable of the active composition', core, async () => {
    await runCommand(page, 'Framework: Show Variables');
    form = await frameWith(page, '.field');
    await waitInFrame(form, 'h1', 'first');
    const fields = await form.$$eval('.field', (all) =>
      all.map((field) => [
        field.getAttribute('data-id'),
        field.querySelector('.label')?.textContent,
        [...field.querySelectorAll('input, select, textarea')].map((one) => (one as HTMLInputElement).type).join(),
        (field.querySelector('input:not([type=range])') as HTMLInputElement | null)?.value,
      ]),
    );
    expect(fields).toEqual([
      ['title', 'Title', 'text', 'Hello'],
      ['size', 'Size', 'range,text', '40'],
      ['accent', 'Accent', 'color,text', '#ff5500'],
      ['bold', 'Bold', 'checkbox', 'on'],
      ['mood', 'Mood', 'radio,radio', 'calm'],
    ]);
  });

  test('marks changed values, reports invalid ones, and resets', async () => {
    await fillIn(form, `${control('title')} input`, 'A title that is much too long');
    await waitInFrame(form, `${control('title')} .problem`, 'Must be at most 20 characters (got 29).');
    await fillIn(form, `${control('title')} input`, 'Good morning');
    await waitInFrame(form, `${control('title')} .hint`, '12 of 20 characters · Default: Hello');
    await fillIn(form, `${control('size')} input[type=text]`, '42');
    await waitInFrame(form, `${control('size')} .problem`, 'Must be in steps of 5. Nearest: 40, 45.');
    await page.keyboard.press('ArrowUp');
    expect(await shownIn(`${control('size')} input[type=range]`)).toBe('45');
    await fillIn(form, `${control('accent')} input[type=text]`, 'tomato');
    await form.click(`${control('bold')} input`);
    await waitInFrame(form, '.count', '4 of 5 changed');
    expect(await shownIn(`${control('accent')} input[type=text]`)).toBe('#ff6347');
    expect(await changedFields()).toBe('title,size,accent,bold');
    await saveScreenshot(page, 'form-changed');
    await button('Reset Title to its default');
    expect(await shownIn(`${control('title')} input`)).toBe('Hello');
    await form.click('#resetAll');
    await waitInFrame(form, '.count', '0 of 5 changed');
    await waitInFrame(form, '.notice', 'All values were reset to their defaults.');
    await form.click('.notice button');
    await waitInFrame(form, '.count', '3 of 5 changed');
    expect(await changedFields()).toBe('size,accent,bold');
  });

  test('keeps the form and its values when the declarations contain an error', async () => {
    await goTo(page, await readFile(inFolder('index.html'), 'utf8'), '"label":"Title"', 0);
    await page.keyboard.type('x');
    await waitInFrame(form, '.alert', 'The declarations contain an error: Expected a key in double quotes');
    await waitInFrame(form, '.count', '3 of 5 changed');
    expect(await changedFields()).toBe('size,accent,bold');
    await saveScreenshot(page, 'form-broken');
    await form.click('.alert button');
    await waitForText(page, selectors.cursorPosition, /^Ln 3,/);
    await pressWithControl(page, 'z');
    await form.waitForSelector('.alert', { hidden: true });
    await waitForNone(page, '.tab.active.dirty');
    expect(await changedFields()).toBe('size,accent,bold');
  });

  test('saves a named set in the project and loads it', async () => {
    await button('Save Variables as Set…');
    await waitForInput(page, 'Save Variables as Set');
    await typeValue(page, 'a/b');
    await waitForText(page, selectors.inputMessage, 'The name must not contain any of these characters');
    await typeValue(page, 'spring');
    await saveScreenshot(page, 'form-save');
    await page.keyboard.press('Enter');
    await waitForText(page, selectors.notification, 'Saved as variables/index/spring.json.');
    await closeNotifications(page);
    const saved = { title: 'Hello', size: 45, accent: '#ff6347', bold: false, mood: 'calm' };
    expect(await readJson('variables/index/spring.json')).toEqual(saved);
    expect(readdirSync(inFolder('variables/index'))).toEqual(['spring.json']);
    await fillIn(form, `${control('title')} input`, 'Other');
    await waitInFrame(form, '.sets select', 'spring (changed)');
    await form.click('#resetAll');
    await form.select('.sets select', '');
    await form.select('.sets select', 'spring');
    await waitInFrame(form, '.count', '3 of 5 changed');
    expect(await shownIn(`${control('size')} input[type=text]`)).toBe('45');
  });

  test('shows and keeps undeclared values of a set', async () => {
    await writeFile(inFolder('variables/index/odd.json'), '{"title":"Odd","size":"big","ghost":{"deep":[1]}}');
    await form.focus('.sets select');
    await waitInFrame(form, '.sets select', 'odd');
    await form.select('.sets select', 'odd');
    await waitInFrame(form, '.unknown .unknown-value', 'ghost{"deep":[1]}');
    await waitInFrame(form, `${control('size')} .problem`, 'must be a number');
    await fillIn(form, `${control('size')} input[type=text]`, '50');
    await waitInFrame(form, `${control('size')} .problem`, /^$/);
    await button('Save Variables as Set…');
    await waitForInput(page, 'Save Variables as Set');
    await page.keyboard.press('Enter');
    await waitForText(page, selectors.notification, 'Saved as variables/index/odd.json.');
    await closeNotifications(page);
    expect(await readJson('variables/index/odd.json')).toMatchObject({ title: 'Odd', size: 50, ghost: { deep: [1] } });
    await button('Remove ghost');
    await waitInFrame(form, '.sets select', 'odd (changed)');
  });

  test('deletes a set and restores it', async () => {
    await button('Delete Variable Set…');
    await waitForText(page, selectors.notification, 'Deleted the set odd.');
    expect(existsSync(inFolder('variables/index/odd.json'))).toBe(false);
    await pressButton(page, 'Undo');
    await vi.waitUntil(() => existsSync(inFolder('variables/index/odd.json')), { timeout: 60_000 });
    await waitInFrame(form, '.sets select', 'odd');
    expect(await readJson('variables/index/odd.json')).toMatchObject({ title: 'Odd' });
    await form.select('.sets select', 'spring');
    await waitInFrame(form, '.count', '3 of 5 changed');
  });

  test('copies a command that renders the draft values', async () => {
    await form.evaluate(() => {
      const all = [...document.querySelectorAll('button')];
      all.find(({ textContent }) => textContent === 'Copy CLI Command')?.click();
    });
    await waitForText(page, selectors.notification, 'Copied the command');
    const command = await page.evaluate(() => navigator.clipboard.readText());
    expect(command).toContain('framework render ');
    await closeNotifications(page);
    const bin = inFolder('../bin');
    await mkdir(bin);
    const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
    await writeFile(join(bin, 'framework'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
    await chmod(join(bin, 'framework'), 0o755);
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
    execFileSync('sh', ['-c', `${command} --quiet`], { env, cwd: editor.folder });
    await expectColor(inFolder('renders/index.mp4'), [0xff, 0x63, 0x47]);
  });

  test('writes the draft values to the declarations as one unsaved edit', async () => {
    const before = await readFile(inFolder('index.html'), 'utf8');
    await runCommand(page, 'Framework: Write Variables as Defaults');
    await waitForText(page, selectors.editor, '#ff6347');
    await waitInFrame(form, '.count', '0 of 5 changed');
    expect(await readFile(inFolder('index.html'), 'utf8')).toBe(before);
    await page.click(selectors.editor);
    await runCommand(page, 'File: Save');
    await waitForNone(page, '.tab.active.dirty');
    expect(await readFile(inFolder('index.html'), 'utf8')).toBe(
      before
        .replace('"default":40', '"default":45')
        .replace('"default":"#ff5500"', '"default":"#ff6347"')
        .replace('"default":true', '"default":false'),
    );
    await pressWithControl(page, 'z');
    await waitForText(page, selectors.editor, '#ff5500');
    await runCommand(page, 'File: Save');
    await waitForNone(page, '.tab.active.dirty');
    expect(await readFile(inFolder('index.html'), 'utf8')).toBe(before);
  });

  test('adds a variable to the declarations as one edit', async () => {
    const before = await readFile(inFolder('index.html'), 'utf8');
    await form.click('.add');
    await waitForInput(page, 'Add Variable to first');
    await typeValue(page, 'accent');
    await waitForText(page, selectors.inputMessage, '"accent" is already declared in index.html, line 5.');
    await saveScreenshot(page, 'form-add-variable');
    await typeValue(page, 'shadowColor');
    await waitForText(page, selectors.inputMessage, 'Styles read it as --titleColor');
    await page.keyboard.press('Enter');
    await waitForText(page, selectors.inputRow, 'Color');
    await page.keyboard.type('Color');
    await waitForText(page, selectors.focusedRow, 'Color');
    await page.keyboard.press('Enter');
    await waitForText(page, selectors.inputMessage, 'The default');
    await typeValue(page, 'navy');
    await page.keyboard.press('Enter');
    await waitInFrame(form, `${control('shadowColor')} .label`, 'Shadow color');
    expect(await shownIn(`${control('shadowColor')} input[type=text]`)).toBe('#000080');
    await waitForText(
      page,
      selectors.editor,
      '{"id":"shadowColor","type":"color","label":"Shadow color","default":"#000080"}',
    );
    await saveScreenshot(page, 'form-added-variable');
    await page.click(selectors.editor);
    await pressWithControl(page, 'z');
    await waitForNone(page, '.tab.active.dirty');
    await form.waitForSelector(control('shadowColor'), { hidden: true });
    expect(await readFile(inFolder('index.html'), 'utf8')).toBe(before);
  });

  test('opens in a panel for a render and remembers the values', async () => {
    await runCommand(page, 'Framework: Render…');
    await waitForText(page, '.tab.active', 'Render first');
    const panel = await frameWith(page, 'body.panel .field');
    await fillIn(panel, `${control('accent')} input[type=text]`, '#0a64c8');
    await saveScreenshot(page, 'form-panel');
    await pressWithControl(page, 'Enter');
    await waitForText(
      page,
      selectors.notification,
      /Rendered renders\/first-accent-0a64c8\.mp4 with accent: #0a64c8 \(10 frames, 1 s, \d+ kB\)/,
    );
    await closeNotifications(page);
    await expectColor(inFolder('renders/first-accent-0a64c8.mp4'), [0x0a, 0x64, 0xc8]);
    // A second render keeps the first video. Closing the notification has moved the focus.
    await panel.click(`${control('accent')} input[type=text]`);
    await pressWithControl(page, 'Enter');
    await waitForText(page, selectors.notification, 'Rendered renders/first-accent-0a64c8-2.mp4');
    await closeNotifications(page);
    // Both forms show the same values.
    await waitInFrame(form, '.count', '1 of 5 changed');
    await openFile(page, 'card.html');
    await waitInFrame(form, 'h1', 'compositions/card.html');
    await openFile(page, 'index.html');
    await waitInFrame(form, '.count', '1 of 5 changed');
  });

  test('restores the draft values after a window reload', async () => {
    await page.reload();
    await waitForText(page, selectors.editor, 'data-composition-variables');
    await page.waitForSelector(selectors.runButton, { timeout: 60_000 });
    await runCommand(page, 'Framework: Show Variables');
    form = await frameWith(page, '.field');
    await waitInFrame(form, '.count', '1 of 5 changed');
    expect(await shownIn(`${control('accent')} input[type=text]`)).toBe('#0a64c8');
  });

  test('the play button renders the values of the form, and offers the defaults', async () => {
    await clickAt(page, selectors.runButton);
    await waitForText(page, selectors.notification, 'Rendering first-accent-0a64c8-3 with accent: #0a64c8');
    await waitForText(page, selectors.notification, 'Rendered renders/first-accent-0a64c8-3.mp4 with accent: #0a64c8');
    await expectColor(inFolder('renders/first-accent-0a64c8-3.mp4'), [0x0a, 0x64, 0xc8]);
    await saveScreenshot(page, 'form-rendered');
    await pressButton(page, 'Render with Defaults');
    await waitForText(page, selectors.notification, 'Rendered renders/first.mp4 (');
    await expectColor(inFolder('renders/first.mp4'), [0xff, 0x55, 0x00]);
  });
});

/** Colors of a video differ slightly from the page. */
async function expectColor(video: string, expected: readonly number[]): Promise<void> {
  const frames = await decode(video, 320, 180);
  const shown = frames[9]?.at(300, 170) ?? [];
  expect(expected.every((channel, at) => Math.abs(channel - (shown[at] ?? -9)) <= 3)).toBe(true);
}
