// Clips that are moved in the timeline of the live preview: one edit of the text, and one undo.
import { readFile } from 'node:fs/promises';
import type { Frame, Page } from 'puppeteer-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { suiteWindow } from '../support/vscode/suiteWindow.ts';
import { frameWith, pressWithControl, runCommand, selectors, waitForNone, waitForText } from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

const clips = `<!doctype html>
<html>
  <body>
    <div data-composition-id="main" data-width="320" data-height="180" data-duration="10" data-fps="30">
      <h1 id="intro" data-start="0" data-duration="2" data-track-index="1">Intro</h1>
      <p id="name" data-start="intro + 0.5" data-duration="3" data-track-index="2">Name</p>
    </div>
  </body>
</html>
`;

describe('clips in the preview', () => {
  const editor = suiteWindow(() => ({
    files: { 'clips.html': clips },
    open: 'clips.html',
    settings: { 'editor.minimap.enabled': false },
    forwardsPorts: true,
  }));
  let page: Page;
  let preview: Frame;
  const path = () => editor.inFolder('clips.html');
  // One step, because the page replaces the clips with each edit.
  const focusName = () => preview.$eval('.clip[aria-label^="name,"]', (clip) => (clip as HTMLElement).focus());

  /** Drags a clip by a number of seconds. */
  async function drag(id: string, seconds: number): Promise<void> {
    const clip = await (await preview.$(`.clip[aria-label^="${id},"]`))?.boundingBox();
    const area = await (await preview.$('.area'))?.boundingBox();
    if (!clip || !area) throw new Error('The preview has no clip.');
    const [x, y] = [clip.x + clip.width / 2, clip.y + clip.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + (seconds / 10) * area.width, y, { steps: 8 });
  }

  beforeAll(async () => {
    ({ page } = editor);
    await runCommand(page, 'Framework: Open Preview to the Side');
    preview = await frameWith(page, '.clip[aria-label^="name, 0:02.50"]');
  });

  test('moves a clip with one edit of the text, which one undo takes back', async () => {
    await drag('name', 1.51);
    await saveScreenshot(page, 'clip-drag');
    await page.mouse.up();
    await waitForText(page, selectors.editor, 'data-start="intro + 2"');
    await preview.waitForSelector('.clip[aria-label^="name, 0:04.00"]');
    await saveScreenshot(page, 'clip-moved');
    // The file is not saved.
    expect(await readFile(path(), 'utf8')).toBe(clips);

    await runCommand(page, 'View: Focus First Editor Group');
    await pressWithControl(page, 'z');
    await waitForText(page, selectors.editor, 'data-start="intro + 0.5"');
    await waitForNone(page, '.tab.dirty');
    await preview.waitForSelector('.clip[aria-label^="name, 0:02.50"]');
  });

  test('undoes and moves with keys in the timeline', async () => {
    await focusName();
    await page.keyboard.down('Alt');
    await page.keyboard.down('Shift');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.up('Shift');
    await page.keyboard.up('Alt');
    await waitForText(page, selectors.editor, 'data-start="intro + 1.5"');
    await preview.waitForSelector('.clip[aria-label^="name, 0:03.50"]');
    await focusName();
    await pressWithControl(page, 'z');
    await waitForText(page, selectors.editor, 'data-start="intro + 0.5"');
    await waitForNone(page, '.tab.dirty');
  });
});
