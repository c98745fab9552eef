// A workspace of 300 projects: the tree, problems of open files only, and linting the whole workspace.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import {
  clickAt,
  closeNotifications,
  pressButton,
  pressWithControl,
  runCommand,
  selectors,
  waitForNone,
  waitForText,
} from './ui.ts';
import { saveScreenshot, startWorkbench, type Workbench } from './workbench.ts';

const vsix = fileURLToPath(new URL(`../../framework-${manifest.version}.vsix`, import.meta.url));

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

describe.skipIf(process.env.VSCODE_EXECUTABLE)('in a folder of 300 projects', () => {
  let workbench: Workbench;
  let folder: string;
  let window: Page;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'framework-projects-'));
    for (let index = 1; index <= 300; index++) {
      const name = `project-${String(index).padStart(3, '0')}`;
      for (const [path, text] of Object.entries({ 'index.html': page, 'scene.html': scene })) {
        await mkdir(dirname(join(folder, name, path)), { recursive: true });
        await writeFile(join(folder, name, path), text);
      }
    }
    workbench = await startWorkbench({ vsix });
    window = await workbench.open(folder, []);
    await waitForText(window, '.explorer-folders-view .monaco-list-row', 'project-001');
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await saveScreenshot(window, `failed ${task.name}`);
  });
  afterAll(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true });
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
