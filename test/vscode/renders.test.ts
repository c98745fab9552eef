// Rendering in VS Code: from all menus, in the cloud, on AWS, as tasks, and the messages at the end.
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Aws, startAws } from '../aws/endpoint.ts';
import { lambdaMissing } from '../aws/lambdaProgram.ts';
import { runProgram } from '../support/program.ts';
import { decode } from '../support/renders/video.ts';
import { type CephAccount, cephMissing } from '../support/servers/ceph.ts';
import { openCeph } from '../support/servers/sharedCeph.ts';
import { addKey, type ServedProgram, serveProgram } from '../support/service/serveProgram.ts';
import { core } from '../support/suites.ts';
import { docImage } from '../support/vscode/docImage.ts';
import { suiteWindow } from '../support/vscode/suiteWindow.ts';
import {
  clickAt,
  closeNotifications,
  frameWith,
  openFile,
  pressButton,
  runCommand,
  selectors,
  typeValue,
  waitForInput,
  waitForNone,
  waitForText,
} from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

const page = (duration: number, script = '') => `<!doctype html>
<html>
  <body>
    <div data-composition-id="made" data-width="64" data-height="64" data-duration="${duration}"></div>
    <script>
      ${script}
    </script>
  </body>
</html>
`;

const tasks = {
  version: '2.0.0',
  tasks: [
    {
      label: 'make the green one',
      type: 'framework',
      composition: 'index.html',
      variables: { accent: '#00aa55' },
      output: 'out/green.webm',
      problemMatcher: ['$framework'],
    },
    { label: 'make the broken one', type: 'framework', composition: 'broken.html', problemMatcher: ['$framework'] },
  ],
};

const statusItem = '.statusbar-item[id$="framework.rendering"]';
const menuItem = '.monaco-menu .action-label';

describe('renders', () => {
  let service: ServedProgram;
  let data: string;
  afterAll(async () => {
    await service?.end();
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  });
  const images = '>\n<img src="gone.png" />\n<img src="lost.png" />\n</div>';
  const editor = suiteWindow(async () => {
    data = await mkdtemp(join(tmpdir(), 'fw-serve-'));
    service = await serveProgram(data);
    return {
      files: {
        'broken.html': page(1, "document.querySelector('.missing').remove();"),
        'faulty.html': page(1).replace('></div>', images),
        'plain.html': '<p>Not a composition</p>',
        'endless.html': page(600),
        'other.html': page(600),
        '.vscode/tasks.json': JSON.stringify(tasks, null, 2),
      },
      open: 'index.html',
      // Without GPU acceleration the terminal is drawn as text, which the test can read.
      settings: { 'terminal.integrated.gpuAcceleration': 'off' },
      env: { SERVICE_API_URL: service.url },
    };
  });
  const { inFolder } = editor;
  let window: Page;
  const made = () => (existsSync(inFolder('renders')) ? readdirSync(inFolder('renders')) : []);

  beforeAll(() => {
    window = editor.page;
  });
  beforeEach(async () => {
    await rm(inFolder('renders'), { recursive: true, force: true });
    await rm(inFolder('out'), { recursive: true, force: true });
  });

  test('renders two compositions at the same time, but none twice', core, async () => {
    await openFile(window, 'endless.html');
    await runCommand(window, 'Framework: Render');
    await waitForText(window, selectors.notification, /\d+ of 18000 frames, .* left/);
    await waitForText(window, statusItem, /Rendering first-endless: \d+ %/);
    await openFile(window, 'other.html');
    await runCommand(window, 'Framework: Render');
    await waitForText(window, statusItem, /2 renders: \d+ %/);
    await saveScreenshot(window, 'renders-two');
    await runCommand(window, 'Framework: Render');
    await waitForText(window, selectors.notification, 'other.html is already being rendered.');
    await cancelAll(window);
    await waitForNone(window, statusItem);
    expect(made()).toEqual([]);
    await closeNotifications(window);
  });

  test('renders from the play button, whose menu has the other render commands', async () => {
    await openFile(window, 'index.html');
    await window.waitForSelector(selectors.runButton);
    await clickAt(
      window,
      '.editor-actions .monaco-dropdown .codicon-chevron-down, .editor-actions .codicon-chevron-down',
    );
    await waitForText(window, menuItem, 'Render in the Cloud');
    const shown = await window.$$eval(menuItem, (all) => all.map((one) => one.textContent));
    expect(shown).toEqual(expect.arrayContaining(['Render', 'Render…', 'Render on AWS']));
    await saveScreenshot(window, 'renders-menu');
    await window.keyboard.press('Escape');
    // The open menu would take the click.
    await waitForNone(window, menuItem);
    await clickAt(window, selectors.runButton);
    await waitForText(window, selectors.notification, 'Rendered renders/first.mp4');
    await closeNotifications(window);
  });

  test('renders from the explorer', async () => {
    await runCommand(window, 'File: Focus on Files Explorer');
    const file = '.explorer-folders-view .monaco-list-row[aria-label^="endless.html"]';
    await window.waitForSelector(file);
    await window.click(file, { button: 'right' });
    await waitForText(window, menuItem, 'Render on AWS');
    await saveScreenshot(window, 'renders-explorer');
    await window.keyboard.press('Escape');
    await waitForNone(window, menuItem);
    // Other HTML files have no entries.
    await window.click('.explorer-folders-view .monaco-list-row[aria-label^="plain.html"]', { button: 'right' });
    await waitForText(window, menuItem, 'Delete Permanently');
    const entries = await window.$$eval(menuItem, (all) => all.map((one) => one.textContent));
    expect(entries.filter((text) => text?.startsWith('Render'))).toEqual([]);
    await window.keyboard.press('Escape');
    await waitForNone(window, menuItem);
    await window.click(file, { button: 'right' });
    await waitForText(window, menuItem, 'Render on AWS');
    await chooseInMenu(window, 'Render');
    await waitForText(window, selectors.notification, /\d+ of 18000 frames/);
    await cancelAll(window);
    await waitForNone(window, statusItem);
    expect(made()).toEqual([]);
  });

  test('leaves nothing behind after a failed render, and offers its line, the preview and all errors', async () => {
    await openFile(window, 'faulty.html');
    await waitForText(window, '.statusbar-item[id="status.problems"]', /2/);
    await runCommand(window, 'Framework: Render');
    await waitForText(window, selectors.notification, 'The file gone.png does not exist');
    await waitForText(window, selectors.notificationButton, 'Preview');
    await saveScreenshot(window, 'renders-failed');
    // The folder may belong to another render that has just started.
    expect(made()).toEqual([]);
    await pressButton(window, '2 Errors');
    await waitForInput(window, 'Errors of faulty.html');
    await waitForText(window, selectors.inputRow, 'faulty.html:5');
    await window.keyboard.type('lost');
    await waitForText(window, selectors.focusedRow, 'faulty.html:6');
    await saveScreenshot(window, 'renders-errors');
    await window.keyboard.press('Enter');
    await waitForText(window, selectors.cursorPosition, 'Ln 6');
    await closeNotifications(window);
  });

  test('provides a task for each composition, and lists the problems of a failed task', async () => {
    await openFile(window, 'index.html');
    await runCommand(window, 'Tasks: Run Task');
    await waitForText(window, selectors.inputRow, 'make the broken one');
    await window.keyboard.type('framework');
    await waitForText(window, selectors.focusedRow, 'framework');
    await window.keyboard.press('Enter');
    await waitForText(window, selectors.inputRow, 'render compositions/card.html');
    await saveScreenshot(window, 'renders-tasks');
    await window.keyboard.press('Escape');

    await runTask(window, 'make the green one');
    await waitForText(window, selectors.terminal, /10 frames, 1 s, \d+ kB/);
    expect(await decode(inFolder('out/green.webm'), 320, 180)).toHaveLength(10);
    await runTask(window, 'make the broken one');
    // VS Code reveals the terminal with a delay, which would hide the Problems view again.
    await waitForText(window, selectors.terminalTab, 'make the broken one');
    await runCommand(window, 'Problems: Focus on Problems View');
    await waitForText(window, selectors.problem, /null.*render.*Ln 6/);
    await saveScreenshot(window, 'renders-problem');
    await runCommand(window, 'View: Toggle Panel Visibility');
  });

  test('renders in the cloud: prompts for consent and sign-in, downloads the video and shows its cost', async () => {
    await openFile(window, 'index.html');
    await runCommand(window, 'Framework: Render in the Cloud');
    await waitForText(window, selectors.dialog, 'are uploaded to the service');
    await saveScreenshot(window, 'renders-consent');
    await pressButton(window, 'Upload and Render', selectors.dialogButton);
    await waitForText(window, selectors.notification, 'You are not signed in');
    await waitForText(window, selectors.notificationButton, 'Sign In');
    await saveScreenshot(window, 'renders-signed-out');
    // From now on the Accounts menu has a sign-in request.
    await window.waitForSelector(selectors.accountsBadge, { visible: true });

    await pressButton(window, 'Sign In');
    await waitForInput(window, 'Sign In to Framework');
    await window.keyboard.type('API Key');
    await waitForText(window, selectors.focusedRow, 'With an API Key');
    await window.keyboard.press('Enter');
    await waitForInput(window, 'Sign In with an API Key');
    await typeValue(window, await addKey(data, 'ann@example.com'));
    await window.keyboard.press('Enter');
    // The render continues after the sign-in.
    await waitForText(window, selectors.notification, 'Rendering first-2 in the cloud');
    await waitForText(window, selectors.notification, /Rendered renders\/first-2\.mp4 \(1 s, \d+ kB, \d+ credits?\)/);
    await saveScreenshot(window, 'renders-cloud');
    expect(made()).toEqual(['first-2.mp4']);
    // The service renders in 1080p unless the user chooses a size.
    expect(await decode(inFolder('renders/first-2.mp4'), 1920, 1080)).toHaveLength(10);
    await closeNotifications(window);
  });

  test('continues a cloud render after cancelling the wait, and can cancel the render itself', async () => {
    await openFile(window, 'endless.html');
    await runCommand(window, 'Framework: Render in the Cloud');
    await waitForText(window, selectors.notification, /Accepted|Queued|Rendering, \d+ %/);
    await pressButton(window, 'Cancel');
    await waitForText(window, selectors.notification, 'The render of first-endless continues in the cloud.');
    await saveScreenshot(window, 'renders-continues');
    await pressButton(window, 'Wait for Render');
    await waitForText(window, selectors.notification, 'Rendering first-endless in the cloud');
    await waitForText(window, selectors.notification, /Queued|Rendering, \d+ %/);
    await pressButton(window, 'Cancel');
    await waitForText(window, selectors.notification, 'The render of first-endless continues in the cloud.');
    await pressButton(window, 'Cancel Render');
    await expect
      .poll(() => service.requests('/v3/framework/renders/').join('\n'), { timeout: 20_000 })
      .toMatch(/DELETE .* 2\d\d/);
    await waitForNone(window, statusItem);
    expect(made()).toEqual([]);
  });

  test('prompts for the AWS stack once, and reports what is missing', async () => {
    await openFile(window, 'endless.html');
    await runCommand(window, 'Framework: Render on AWS');
    await answerInputs(window, { 'AWS region': 'us-east-1', 'Name of the stack': 'not-there', Profile: '' });
    await waitForText(window, selectors.notification, /credentials|AWS/);
    await waitForText(window, selectors.notificationButton, 'Choose AWS Stack…');
    await saveScreenshot(window, 'renders-aws');
    await closeNotifications(window);
  });
});

/** Screenshots of an example for the documentation. */
describe.runIf(process.env.UPDATE_SCREENSHOTS === '1')('screenshots for the documentation', () => {
  // The browser of the tests may not support H.264.
  const webm = { label: 'render as WebM', type: 'framework', composition: 'index.html', output: 'renders/index.webm' };
  const editor = suiteWindow(() => ({
    copies: ['examples/launch-card'],
    name: 'launch-card',
    files: { '.vscode/tasks.json': JSON.stringify({ version: '2.0.0', tasks: [webm] }) },
    open: 'index.html',
    settings: { 'editor.minimap.enabled': false },
  }));

  test('takes render-progress.png and render-done.png', async () => {
    const window = editor.page;
    await waitForText(window, selectors.lens, 'Render');
    await runCommand(window, 'Framework: Render');
    await waitForText(window, selectors.notification, /1\d\d of 270 frames, .* left/);
    await docImage(window, 'render-progress');
    await waitForText(window, selectors.notification, 'Rendered renders/launch-card.mp4');
    await openFile(window, 'launch-card.mp4');
    await showVideo(window, 5);
    await docImage(window, 'render-done');
  });
});

const missing = cephMissing() ?? lambdaMissing();

/** With a real S3 implementation and fakes of the other AWS services. */
describe.skipIf(missing !== undefined)('on AWS', () => {
  let ceph: CephAccount;
  let aws: Aws;
  afterAll(() => aws?.close());
  const editor = suiteWindow(async () => {
    ceph = await openCeph();
    aws = await startAws({ s3: ceph, retryWaitMs: 500 });
    const deployed = await runProgram(['serverless', 'deploy', '--memory', '4096', '--no-canary', '--yes'], aws.env);
    expect(deployed).toMatchObject({ status: 0 });
    return { open: 'index.html', env: aws.env };
  });

  test('prompts for the stack once, downloads the video and shows its cost', async () => {
    const window = editor.page;
    await runCommand(window, 'Framework: Render on AWS');
    await answerInputs(window, { 'AWS region': '', 'Name of the stack': '', Profile: '' });
    await waitForText(window, selectors.notification, 'Rendering first on AWS');
    await waitForText(window, selectors.notification, /Rendered renders\/first\.mp4 \(\d+ kB, about \$/);
    await saveScreenshot(window, 'renders-aws-done');
    expect(await decode(editor.inFolder('renders/first.mp4'), 320, 180)).toHaveLength(10);
    await closeNotifications(window);

    await runCommand(window, 'Framework: Render on AWS');
    await waitForText(window, selectors.notification, 'Rendering first-2 on AWS');
    await waitForText(window, selectors.notification, 'Rendered renders/first-2.mp4');
  });
});

/** Answers inputs one after the other, identified by their prompts. */
async function answerInputs(window: Page, answers: Record<string, string>): Promise<void> {
  for (const [question, answer] of Object.entries(answers)) {
    await waitForText(window, selectors.inputMessage, question);
    await window.keyboard.type(answer);
    await window.keyboard.press('Enter');
  }
}

async function runTask(window: Page, label: string): Promise<void> {
  await runCommand(window, 'Tasks: Run Task');
  await window.keyboard.type(label);
  await waitForText(window, selectors.focusedRow, label);
  await window.keyboard.press('Enter');
}

/** Clicks again while the menu is open: VS Code ignores clicks shortly after it has opened a menu. */
async function chooseInMenu(window: Page, label: string): Promise<void> {
  for (let attempts = 5; ; attempts--) {
    await clickInMenu(window, label);
    const error = await waitForNone(window, menuItem, 2000).catch((reason: Error) => reason);
    if (!error) return;
    if (attempts === 1) throw error;
  }
}

async function clickInMenu(window: Page, label: string): Promise<void> {
  const found = await window.$$(menuItem);
  for (const item of found) {
    if ((await item.evaluate((one) => one.textContent)) !== label) continue;
    const box = await (item as ElementHandle<Element>).boundingBox();
    if (box) return window.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  }
  throw new Error(`There is no "${label}" in the menu.`);
}

/** Presses the Cancel button of every notification. */
async function cancelAll(window: Page): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    const pressed = await window.$$eval(selectors.notificationButton, (all) => {
      const button = all.find((one) => one.textContent === 'Cancel');
      (button as HTMLElement | undefined)?.click();
      return button !== undefined;
    });
    if (!pressed) return;
    await new Promise((done) => setTimeout(done, 250));
  }
}

/** Shows the video element of a webview at a time in seconds. */
async function showVideo(window: Page, seconds: number): Promise<void> {
  const frame = await frameWith(window, 'video');
  await frame.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2, { timeout: 60_000 });
  await frame.evaluate(async (time) => {
    const video = document.querySelector('video') as HTMLVideoElement;
    const sought = new Promise((done) => video.addEventListener('seeked', done, { once: true }));
    video.currentTime = time;
    await sought;
  }, seconds);
}
