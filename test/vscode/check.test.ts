// Checks of what a composition shows, from the editor: findings in Problems, with their fixes.
import type { Page } from 'puppeteer-core';
import { beforeAll, describe, test } from 'vitest';
import { core } from '../support/suites.ts';
import { docImage } from '../support/vscode/docImage.ts';
import { suiteWindow } from '../support/vscode/suiteWindow.ts';
import {
  frameWith,
  goTo,
  pressWithControl,
  runCommand,
  selectors,
  waitForNone,
  waitForText,
} from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

const card = `<!doctype html>
<html data-composition-variables='[{"id":"name","type":"string","label":"Name","default":"Ada Lovelace"}]'>
  <head><style>body { margin: 0; background: #fff; font: 700 40px sans-serif } h1, p { margin: 20px; white-space: nowrap }</style></head>
  <body>
    <div id="root" data-composition-id="main" data-width="640" data-height="360" data-duration="2">
      <h1 data-var-text="name"></h1>
      <p style="color: #ddd">Hard to read</p>
    </div>
  </body>
</html>
`;
const rows = 'name\nAlan Turing\nHubert Blaine Wolfeschlegelsteinhausenbergerdorff\n';

describe('a card with faint text, and rows of names', () => {
  const editor = suiteWindow(() => ({
    copies: [],
    files: { 'card/index.html': card, 'card/rows.csv': rows },
    open: 'card/index.html',
    viewport: { width: 1400, height: 900 },
    forwardsPorts: true,
  }));
  let page: Page;
  const problems = selectors.problem;

  beforeAll(() => {
    ({ page } = editor);
  });

  test('shows the finding in Problems and a color that can be read', core, async () => {
    await runCommand(page, 'Framework: Check Composition');
    await waitForText(page, '.notifications-toasts', '1 problem found', 120_000);
    await runCommand(page, 'Problems: Focus on Problems View');
    await waitForText(page, problems, '“Hard to read” has a contrast of 1.3 over #ffffff, less than 3');
    await goTo(page, card, 'color: #ddd', 0);
    await runCommand(page, 'Quick Fix...');
    await waitForText(page, '.action-widget', 'Show in Preview');
    await saveScreenshot(page, 'check-composition');
    await page.keyboard.press('Enter');
    await waitForText(page, '.view-lines', '#949494');
    await waitForNone(page, problems);
    await pressWithControl(page, 's');
  });

  test('shows which row is too long, and opens it', async () => {
    await runCommand(page, 'Framework: Check Rows');
    await waitForText(page, problems, 'leaves the frame by', 120_000);
    await waitForText(page, problems, '(row 2)');
    await saveScreenshot(page, 'check-rows');
    await goTo(page, card.replace('#ddd', '#949494'), 'data-var-text', 0);
    await runCommand(page, 'Quick Fix...');
    await waitForText(page, '.action-widget', 'Show Row 2 in Preview');
    await page.keyboard.press('Enter');
    const preview = await frameWith(page, '.stage iframe.shown');
    await preview.waitForFunction(
      () =>
        document
          .querySelector<HTMLIFrameElement>('iframe.shown')
          ?.contentDocument?.body.textContent?.includes('Hubert'),
      { timeout: 60_000 },
    );
    await preview.waitForFunction(() => document.querySelector('.found')?.textContent?.includes('text-outside-frame'), {
      timeout: 60_000,
    });
    await saveScreenshot(page, 'check-row-in-preview');
    if (process.env.UPDATE_SCREENSHOTS === '1') await docImage(page, 'check');
  });
});
