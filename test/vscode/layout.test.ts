// The window as people design in it: text, preview and form.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { frameWith, runCommand, selectors, waitForText } from './ui.ts';
import { remoteUri, saveScreenshot, startWorkbench, type Workbench } from './workbench.ts';

const vsix = fileURLToPath(new URL(`../../framework-${manifest.version}.vsix`, import.meta.url));

// Longer than the default, for slow machines.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

describe.skipIf(process.env.VSCODE_EXECUTABLE)('the layout of a window', () => {
  let workbench: Workbench;
  let folder: string;
  let page: Page;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fw-layout-'));
    await cp(fileURLToPath(new URL('../../examples/launch-card', import.meta.url)), folder, { recursive: true });
    workbench = await startWorkbench({ vsix, forwardsPorts: true });
    page = await workbench.open(folder, [['openFile', remoteUri(workbench.authority, join(folder, 'index.html'))]]);
    await page.setViewport({ width: 1600, height: 900 });
    await waitForText(page, selectors.editor, 'data-composition-variables');
    await page.waitForSelector(selectors.runButton, { timeout: 60_000 });
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await saveScreenshot(page, `failed ${task.name}`);
  });
  afterAll(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('Design Layout shows the text, its preview and the form, and changes nothing the second time', async () => {
    const tabs = () =>
      page.$$eval('.editor-group-container', (groups) =>
        groups.map((group) =>
          [...group.querySelectorAll('.tab')].map((tab) => tab.getAttribute('aria-label')?.split(',')[0]),
        ),
      );
    for (let times = 0; times < 2; times++) {
      await runCommand(page, 'Framework: Design Layout');
      await frameWith(page, '.stage .screens');
      await frameWith(page, '.field');
      expect(await tabs()).toEqual([['index.html'], [expect.stringContaining('Preview')]]);
    }
    await saveScreenshot(page, 'layout-design');
  });

  test('the form shows at least six fields in a window of 900 px', async () => {
    const form = await frameWith(page, '.field');
    const shown = await form.evaluate(() => {
      const end = document.querySelector('main')?.getBoundingClientRect().bottom ?? 0;
      const fields = [...document.querySelectorAll('.field')];
      return fields
        .filter((field) => field.getBoundingClientRect().bottom <= end)
        .map((field) => field.getAttribute('data-id'));
    });
    expect(shown).toEqual(['title', 'subtitle', 'badge', 'showBadge', 'price', 'accent']);
  });
});
