// The render dialog in the real editor: choices, check, copied command, the rendered file, and what is remembered.
import { existsSync } from 'node:fs';
import type { Frame, Page } from 'puppeteer-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { decode, describeVideo } from '../support/renders/video.ts';
import { suiteWindow } from '../support/vscode/suiteWindow.ts';
import {
  closeNotifications,
  frameWith,
  pressWithControl,
  runCommand,
  selectors,
  waitForText,
  waitInFrame,
} from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

describe('the render dialog', () => {
  const editor = suiteWindow(() => ({ open: 'index.html', viewport: { width: 1280, height: 900 } }));
  const { inFolder } = editor;
  let page: Page;
  let dialog: Frame;

  const open = async (): Promise<void> => {
    await runCommand(page, 'Framework: Render…');
    dialog = await frameWith(page, 'body.dialog .options');
    await waitInFrame(dialog, '.summary', '320 × 180');
  };
  const choose = (label: string) =>
    dialog.evaluate((wanted: string) => {
      const found = [...document.querySelectorAll('.radios label')].find(({ textContent }) => textContent === wanted);
      found?.querySelector('input')?.click();
    }, label);
  /** The input with this label. */
  const inputOf = (label: string) =>
    dialog.evaluate((wanted: string) => {
      const found = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === wanted);
      return `#${found?.htmlFor}`;
    }, label);
  const type = async (label: string, text: string) => {
    await dialog.click(await inputOf(label), { count: 3 });
    await page.keyboard.type(text);
  };
  const shown = async (label: string) =>
    dialog.$eval(await inputOf(label), (one) => [
      (one as HTMLInputElement).value,
      (one as HTMLInputElement).placeholder,
    ]);

  beforeAll(() => {
    ({ page } = editor);
  });

  test('shows what will be rendered, and that nothing is known about time and size yet', async () => {
    await open();
    await waitInFrame(dialog, '.summary', '320 × 180, 10 frames per second, 10 frames, 1 s');
    await waitInFrame(dialog, '.facts', 'No earlier render of this composition with this format and quality.');
    expect(await shown('Output')).toEqual(['', 'renders/first.mp4']);
    await saveScreenshot(page, 'render-dialog');
  });

  test('shows the error of the command line for an invalid range, and does not render', async () => {
    await type('End', '3');
    await waitInFrame(dialog, '[role=alert]', 'The time range ends after the end of the composition');
    await saveScreenshot(page, 'render-dialog-error');
    await pressWithControl(page, 'Enter');
    await waitInFrame(dialog, '[role=alert]', 'The composition has 10 frames (1 s) at 10 frames per second.');
    expect(existsSync(inFolder('renders'))).toBe(false);
  });

  test('renders the chosen format and range with Ctrl+Enter', async () => {
    await choose('WebM');
    await type('Start', '0.2');
    await type('End', '7f');
    await type('Output', 'out/part.webm');
    await waitInFrame(dialog, '.summary', '320 × 180, 10 frames per second, 5 frames, 0.5 s');
    await pressWithControl(page, 'Enter');
    await waitForText(page, selectors.notification, /Rendered out\/part\.webm \(5 frames, 0\.5 s/);
    await closeNotifications(page);
    expect(await describeVideo(inFolder('out/part.webm'))).toMatchObject({ duration: '00:00:00.50' });
    expect(await decode(inFolder('out/part.webm'), 320, 180)).toHaveLength(5);
  });

  test('estimates time and size from that render', async () => {
    await waitInFrame(dialog, '.facts', /From part\.webm: 5 frames at [\d.]+ per second\./);
    await waitInFrame(dialog, '.fact:nth-child(2) .value', /About [\d.]+ kB/);
    await saveScreenshot(page, 'render-dialog-estimate');
  });

  test('copies the equivalent command', async () => {
    await dialog.click('.estimates .secondary');
    await waitForText(page, selectors.notification, 'Copied the command');
    await closeNotifications(page);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `framework render ${editor.folder} --composition index.html --format=webm --from=0.2 --to=7f --output=out/part.webm`,
    );
  });

  test('remembers the choice for the composition', async () => {
    await runCommand(page, 'View: Close Editor');
    await open();
    const format = await dialog.$$eval('input[type=radio]:checked', (all) =>
      all.map((one) => (one as HTMLInputElement).value),
    );
    expect(format).toEqual(expect.arrayContaining(['local', 'webm', 'standard']));
    expect((await shown('Start'))[0]).toBe('0.2');
    expect((await shown('End'))[0]).toBe('7f');
    // A name is not remembered, so that the next video does not replace this one.
    expect(await shown('Output')).toEqual(['', 'renders/first.webm']);
  });
});
