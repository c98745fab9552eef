// End-to-end tests of the packed extension in a workbench.
import { readFile, readlink, rm, symlink } from 'node:fs/promises';
import type { Page } from 'puppeteer-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { decode, type Picture } from '../support/renders/video.ts';
import { core } from '../support/suites.ts';
import { suiteWindow } from '../support/vscode/suiteWindow.ts';
import {
  clickAt,
  closeNotifications,
  frameWith,
  goTo,
  openFile,
  pressButton,
  runCommand,
  selectors,
  waitForNone,
  waitForText,
  waitInFrame,
} from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

const page404 = '<!doctype html><html><body><p>Not here.</p></body></html>';
const broken = `<!doctype html>
<html>
  <body>
    <div data-composition-id="broken" data-width="64" data-height="64" data-duration="1"></div>
    <script>
      document.querySelector('.missing').remove();
    </script>
  </body>
</html>
`;

describe('in a trusted folder', () => {
  const editor = suiteWindow(() => ({
    files: { 'page.html': page404, 'broken.html': broken },
    open: 'index.html',
  }));
  const { inFolder } = editor;
  let page: Page;

  beforeAll(() => {
    ({ page } = editor);
  });

  test('shows problems in the editor and the Problems view, and code lenses above the composition', core, async () => {
    await page.waitForSelector(selectors.squiggle, { timeout: 30_000 });
    await waitForText(page, selectors.lens, 'Render…');
    await runCommand(page, 'Problems: Focus on Problems View');
    await waitForText(page, selectors.problem, 'sise');
    await saveScreenshot(page, 'problems');
    await runCommand(page, 'View: Toggle Panel Visibility');
  });

  test('shows the number of compositions and that rendering is available in the language status', async () => {
    await (await page.waitForSelector(selectors.status))?.hover();
    await waitForText(page, selectors.statusDetail, 'Ready to render');
    await waitForText(page, selectors.statusDetail, '3 compositions');
    await saveScreenshot(page, 'status');
    await page.mouse.move(600, 300);
  });

  test('keeps the run button while another part of the window has the focus', async () => {
    await runCommand(page, 'Framework: Show Log');
    await page.waitForSelector('.output-view');
    await page.waitForSelector(selectors.runButton);
    await runCommand(page, 'View: Toggle Panel Visibility');
  });

  test('offers to save unsaved files before a render', async () => {
    await openFile(page, 'index.html');
    await page.click(selectors.editor);
    const text = await readFile(inFolder('index.html'), 'utf8');
    await goTo(page, text, '#ff5500', 0);
    for (let i = 0; i < 7; i++) await page.keyboard.press('Delete');
    await page.keyboard.type('#00aa55');
    await runCommand(page, 'Framework: Render');
    await waitForText(page, selectors.dialog, 'index.html has unsaved changes.');
    await saveScreenshot(page, 'unsaved');
    await pressButton(page, 'Save and Render', selectors.dialogButton);
    await waitForText(page, selectors.notification, 'Rendered renders/first.mp4');
    await closeNotifications(page);
    expect(await readFile(inFolder('index.html'), 'utf8')).toContain('#00aa55');
    const frames = await decode(inFolder('renders/first.mp4'), 320, 180);
    expectColor(frames[9], [0x00, 0xaa, 0x55]);
  });

  test('opens the line of a script error', async () => {
    await openFile(page, 'broken.html');
    await runCommand(page, 'Framework: Render');
    await waitForText(page, selectors.notification, 'null');
    await saveScreenshot(page, 'error');
    await pressButton(page, 'Go to broken.html:6');
    await waitForText(page, selectors.cursorPosition, 'Ln 6');
  });

  test('explains that a page is not a composition', async () => {
    await openFile(page, 'page.html');
    await runCommand(page, 'Framework: Render');
    await waitForText(page, selectors.notification, 'page.html is not a composition');
    await closeNotifications(page);
    expect(await page.$(selectors.runButton)).toBeNull();
  });

  test('does not ask to sign in when only local renders are used', async () => {
    const badge = await page.$(selectors.accountsBadge);
    expect(await badge?.isVisible()).not.toBe(true);
    expect(await page.$('.activitybar .codicon-accounts-view-bar-icon')).not.toBeNull();
  });

  test('names the setting when the browser does not exist', async () => {
    const browser = await readlink(editor.workbench.browserLink);
    await rm(editor.workbench.browserLink);
    await openFile(page, 'index.html');
    await runCommand(page, 'Framework: Render');
    await waitForText(page, selectors.notification, 'framework.browserPath does not exist');
    await saveScreenshot(page, 'no-browser');
    await pressButton(page, 'Open Setting');
    await waitForText(page, '.settings-editor', 'Browser Path');
    await saveScreenshot(page, 'settings');
    await page.keyboard.press('Escape');
    await waitForNone(page, '.settings-editor');
    await symlink(browser, editor.workbench.browserLink);
  });

  test('renders from the code lens and opens the video in the editor', async () => {
    await openFile(page, 'index.html');
    await waitForText(page, selectors.lensLink, /^Render$/);
    await clickAt(page, selectors.lensLink);
    await waitForText(page, selectors.notification, /Rendered renders\/first-\d\.mp4/);
    await pressButton(page, 'Open');
    await waitForText(page, '.tab.active', /first-\d\.mp4/);
    await saveScreenshot(page, 'opened');
  });
});

describe('in Restricted Mode', () => {
  const trust = { enabled: true, startupPrompt: 'never', banner: 'never' };
  const settings = Object.entries(trust).map(([name, value]) => [`security.workspace.trust.${name}`, value]);
  const editor = suiteWindow(() => ({
    open: 'index.html',
    settings: Object.fromEntries(settings),
    forwardsPorts: true,
  }));

  test('the language works, and rendering says why it does not', async () => {
    const { page } = editor;
    await page.waitForSelector(selectors.squiggle, { timeout: 30_000 });
    await runCommand(page, 'Framework: Render');
    await waitForText(page, selectors.notification, 'this workspace is in Restricted Mode');
    await (await page.waitForSelector(selectors.status))?.hover();
    await waitForText(page, selectors.statusDetail, 'Rendering is unavailable');
    await saveScreenshot(page, 'restricted');
    await pressButton(page, 'Manage Trust');
    await waitForText(page, '.workspace-trust-editor', 'Restricted Mode');
    await runCommand(page, 'View: Close Editor');
  });

  test('the preview says why there is none', async () => {
    const { page } = editor;
    await runCommand(page, 'Framework: Open Preview to the Side');
    const panel = await frameWith(page, 'main > [role=alert]');
    await waitInFrame(panel, 'h1', 'This workspace is in Restricted Mode.');
    await saveScreenshot(page, 'preview-restricted');
    await panel.click('button');
    await waitForText(page, '.workspace-trust-editor', 'Restricted Mode');
  });

  test('the preview starts when the workspace is trusted', async () => {
    const { page } = editor;
    await pressButton(page, 'Trust', '.workspace-trust-editor .monaco-button');
    await frameWith(page, '.stage iframe.shown');
    await saveScreenshot(page, 'preview-trusted');
  });
});

/** Colors of a video differ slightly from the page. */
function expectColor(frame: Picture | undefined, expected: readonly [number, number, number]): void {
  const [red = -1, green = -1, blue = -1] = frame?.at(300, 170) ?? [];
  const far = [red, green, blue].some((channel, index) => Math.abs(channel - (expected[index] ?? 0)) > 3);
  expect(far ? [red, green, blue] : expected).toEqual(expected);
}
