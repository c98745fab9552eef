// The window as people design in it: text, preview and form.
import type { Page } from 'puppeteer-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { suiteWindow } from '../support/vscode/suiteWindow.ts';
import { frameWith, runCommand } from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

describe('the layout of a window', () => {
  const editor = suiteWindow(() => ({
    copies: ['examples/launch-card'],
    open: 'index.html',
    viewport: { width: 1600, height: 900 },
    forwardsPorts: true,
  }));
  let page: Page;

  beforeAll(() => {
    ({ page } = editor);
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
    expect(shown.slice(0, 6)).toEqual(['title', 'subtitle', 'badge', 'showBadge', 'price', 'accent']);
  });
});
