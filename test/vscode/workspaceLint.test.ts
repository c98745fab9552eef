// A workspace of 300 projects: the tree, problems of open files only, and linting the whole workspace.
import type { Page } from 'puppeteer-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { suiteWindow } from '../support/vscode/suiteWindow.ts';
import {
  clickAt,
  closeNotifications,
  pressButton,
  pressWithControl,
  runCommand,
  selectors,
  waitForNone,
  waitForText,
} from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

const row = '.pane:has(> .pane-header[aria-label^="Compositions"]) .monaco-list-row';

const page = `<!doctype html>
<html>
  <body>
    <div data-composition-id="main" data-width="640" data-height="360" data-duration="5">
      <div data-composition-src="scene.html" data-start="0" data-duration="5"></div>
    </div>
  </body>
</html>
`;
const scene = '<div data-composition-id="scene"><p data-start="soon">Hello</p></div>\n';

describe('in a folder of 300 projects', () => {
  const names = Array.from({ length: 300 }, (_, index) => `project-${String(index + 1).padStart(3, '0')}`);
  const editor = suiteWindow(() => ({
    copies: [],
    files: Object.fromEntries(
      names.flatMap((name) => [
        [`${name}/index.html`, page],
        [`${name}/scene.html`, scene],
      ]),
    ),
  }));
  let window: Page;

  beforeAll(async () => {
    window = editor.page;
    await waitForText(window, '.explorer-folders-view .monaco-list-row', 'project-001');
  });

  test('lists the projects, and shows the compositions of one when it is expanded', async () => {
    await runCommand(window, 'Framework: Focus on Compositions View');
    await waitForText(window, row, /project-001.*2 compositions/);
    expect(await window.$$eval(row, (all) => all.every((one) => one.getAttribute('aria-level') === '1'))).toBe(true);
    await clickAt(window, row);
    await waitForText(window, row, /^project-\d+640 × 360/);
    await saveScreenshot(window, 'projects');
  });

  test('shows the problems of an open file and of the file that it embeds', async () => {
    await runCommand(window, 'Problems: Focus on Problems View');
    await waitForNone(window, selectors.problem);
    await pressWithControl(window, 'p');
    await window.waitForSelector(`${selectors.input}:not([style*="display: none"]) input`);
    await window.keyboard.type('project-007/index.html');
    await waitForText(window, selectors.focusedRow, 'project-007');
    await window.keyboard.press('Enter');
    await waitForText(window, selectors.problem, /scene\.html.*project-007/);
    await waitForText(window, selectors.problem, 'soon');
    await saveScreenshot(window, 'projects-open-file');
    await runCommand(window, 'View: Close Editor');
    await waitForNone(window, selectors.problem);
  });

  test('shows the problems of all projects on request, until only open files are requested', async () => {
    await runCommand(window, 'Framework: Lint Workspace');
    await waitForText(window, selectors.notification, '300 problems found in 600 compositions.');
    await pressButton(window, 'Show Problems');
    await waitForText(window, selectors.problem, /scene\.html.*project-001/);
    await saveScreenshot(window, 'projects-linted');
    await closeNotifications(window);
    await runCommand(window, 'Framework: Lint Open Files Only');
    await waitForNone(window, selectors.problem);
  });
});
