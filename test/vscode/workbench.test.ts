// The packed extension as a user meets it: installed in a workbench, seen and driven through a browser.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { decode, hex } from '../support/video.ts';
import { workspaceCopy } from './hostRun.ts';
import { pressButton, runCommand, selectors, typeValue, waitForInput, waitForText } from './ui.ts';
import { picture, remoteUri, startWorkbench, type Workbench } from './workbench.ts';

const vsix = fileURLToPath(new URL(`../../framework-${manifest.version}.vsix`, import.meta.url));

describe.skipIf(process.env.VSCODE_EXECUTABLE)('in a trusted folder', () => {
  let workbench: Workbench;
  let workspace: Awaited<ReturnType<typeof workspaceCopy>>;
  let page: Page;

  beforeAll(async () => {
    workspace = await workspaceCopy();
    workbench = await startWorkbench({ vsix });
    const file = remoteUri(workbench.authority, join(workspace.folder, 'index.html'));
    page = await workbench.open(workspace.folder, [['openFile', file]]);
    await waitForText(page, selectors.editor, 'data-composition-variables');
  });
  afterAll(async () => {
    await workbench?.close();
    await workspace?.remove();
  });

  test('a problem is underlined and listed, and lenses stand above the composition', async () => {
    await page.waitForSelector(selectors.squiggle, { timeout: 30_000 });
    await waitForText(page, selectors.lens, 'Render with variables');
    await runCommand(page, 'Problems: Focus on Problems View');
    await waitForText(page, selectors.problem, 'sise');
    await picture(page, 'problems');
  });

  test('completion offers the ids of the embedded composition', async () => {
    await runCommand(page, 'Go to Line/Column');
    await page.keyboard.type('20');
    await page.keyboard.press('Enter');
  });

  test('the palette renders with values that it asks for, and the video shows them', async () => {
    await runCommand(page, 'Framework: Render with Variables…');
    await waitForInput(page, 'Render index.html: Title');
    await typeValue(page, 'A title that is much too long');
    await waitForText(page, selectors.inputMessage, 'At most 20 characters');
    await picture(page, 'ask-text');
    await typeValue(page, 'Good morning');
    await page.keyboard.press('Enter');

    await waitForInput(page, 'Render index.html: Size');
    await typeValue(page, '42');
    await page.keyboard.press('Enter');
    await waitForText(page, selectors.inputMessage, 'In steps of 5 from 10: 40 or 45.');
    await typeValue(page, '45');
    await page.keyboard.press('Enter');

    await waitForInput(page, 'Render index.html: Accent');
    await waitForText(page, selectors.focusedRow, '#ff5500');
    await page.keyboard.type('#0a64c8');
    await waitForText(page, selectors.focusedRow, '#0a64c8');
    await picture(page, 'ask-colour');
    await page.keyboard.press('Enter');

    await waitForInput(page, 'Render index.html: Bold');
    await waitForText(page, selectors.focusedRow, 'Yes');
    await page.keyboard.press('Enter');
    await waitForInput(page, 'Render index.html: Mood');
    await page.keyboard.press('ArrowDown');
    await waitForText(page, selectors.focusedRow, 'Wild');
    await picture(page, 'ask-enum');
    await page.keyboard.press('Enter');

    await waitForText(page, selectors.notification, 'Rendering index.html');
    await picture(page, 'progress');
    await waitForText(page, selectors.notification, /Rendered renders\/index\.mp4 \(10 frames, 1 s, \d+ kB\)/);
    await waitForText(page, selectors.notificationButton, 'Copy Path');
    await picture(page, 'rendered');
    const frames = await decode(join(workspace.folder, 'renders/index.mp4'), 320, 180);
    expect(frames).toHaveLength(10);
    expect(hex(frames[9], 300, 170)).toBe('#0a64c8');
  });
});
