// The live preview: what it shows, which changes it follows, and its messages.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, test, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { core } from '../support/suites.ts';
import { workspaceCopy } from './hostRun.ts';
import {
  closeNotifications,
  frameWith,
  goTo,
  openFile,
  runCommand,
  selectors,
  waitForNone,
  waitForText,
  waitInFrame,
} from './ui.ts';
import { remoteUri, saveScreenshot, startWorkbench, type Workbench } from './workbench.ts';

const vsix = fileURLToPath(new URL(`../../framework-${manifest.version}.vsix`, import.meta.url));
type Workspace = Awaited<ReturnType<typeof workspaceCopy>>;

const plain = `<!doctype html>
<html data-composition-variables='[{"id":"accent","type":"color","label":"Accent","default":"#ff5500"}]'>
  <head>
    <style>
      body { margin: 0; }
      #stage { width: 320px; height: 180px; background: var(--accent); }
      #box { position: absolute; left: 100px; top: 40px; width: 120px; height: 100px; background: #ffffff; }
    </style>
  </head>
  <body>
    <div id="stage" data-composition-id="main" data-width="320" data-height="180" data-duration="2" data-fps="10">
      <div id="box" class="clip" data-start="0" data-duration="2">Box</div>
    </div>
  </body>
</html>
`;

// Longer than the default, for slow machines.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

describe.skipIf(process.env.VSCODE_EXECUTABLE)('the preview', () => {
  let workbench: Workbench;
  let workspace: Workspace;
  let page: Page;
  let text = plain;
  const inFolder = (path: string) => join(workspace.folder, path);

  /** Waits until the preview shows this color at a point of the composition. */
  async function waitForColor(x: number, y: number, expected: readonly number[]): Promise<void> {
    const stage = await frameWith(page, '.stage .screens');
    const end = Date.now() + 40_000;
    for (let seen: number[] = []; ; ) {
      const sheet = await stage.$('.stage .screens');
      const box = await sheet?.boundingBox();
      if (box) {
        const clip = { x: box.x + (x / 320) * box.width, y: box.y + (y / 180) * box.height, width: 1, height: 1 };
        const { data } = PNG.sync.read(Buffer.from(await page.screenshot({ clip })));
        seen = [...data.subarray(0, 3)];
        if (expected.every((channel, at) => Math.abs(channel - (seen[at] ?? -9)) <= 3)) return;
      }
      if (Date.now() > end) throw new Error(`never ${expected} at ${x}, ${y}; there is ${seen}`);
      await new Promise((done) => setTimeout(done, 100));
    }
  }
  async function typeOver(wanted: string, other: string): Promise<void> {
    await runCommand(page, 'View: Focus First Editor Group');
    await goTo(page, text, wanted, 0);
    for (let i = 0; i < wanted.length; i++) await page.keyboard.press('Delete');
    await page.keyboard.type(other);
    text = text.replace(wanted, other);
  }

  beforeAll(async () => {
    workspace = await workspaceCopy();
    await writeFile(inFolder('plain.html'), plain);
    workbench = await startWorkbench({ vsix, settings: { 'editor.minimap.enabled': false }, forwardsPorts: true });
    page = await workbench.open(workspace.folder, [
      ['openFile', remoteUri(workbench.authority, inFolder('plain.html'))],
    ]);
    await page.waitForSelector(selectors.runButton, { timeout: 60_000 });
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await saveScreenshot(page, `failed ${task.name}`);
  });
  afterAll(async () => {
    await workbench?.close();
    await workspace?.remove();
  });

  test('shows the composition next to the editor', core, async () => {
    await runCommand(page, 'Framework: Open Preview to the Side');
    await waitForText(page, '.tab', 'Preview plain.html');
    await waitForColor(10, 10, [0xff, 0x55, 0x00]);
    await waitForColor(110, 130, [0xff, 0xff, 0xff]);
    await saveScreenshot(page, 'preview');
  });

  test('shows edits before they are saved', async () => {
    await typeOver('#ffffff', '#00aa55');
    await waitForColor(110, 130, [0x00, 0xaa, 0x55]);
    await page.waitForSelector('.tab.active.dirty');
    await runCommand(page, 'File: Save');
    await waitForNone(page, '.tab.active.dirty');
    await waitForColor(110, 130, [0x00, 0xaa, 0x55]);
  });

  test('shows the values of the form immediately', async () => {
    await runCommand(page, 'Framework: Show Variables');
    const form = await frameWith(page, '.field');
    await form.click('.color input[type=text]', { count: 3 });
    await page.keyboard.type('#0a64c8');
    await waitForColor(10, 10, [0x0a, 0x64, 0xc8]);
    await saveScreenshot(page, 'preview-form');
  });

  test('outlines the element at the cursor, and opens the source of an element', async () => {
    await runCommand(page, 'View: Focus First Editor Group');
    await goTo(page, text, 'id="box"', 0);
    const stage = await frameWith(page, '.outlines > *');
    const sheet = await stage.$('.stage .screens');
    const box = await sheet?.boundingBox();
    if (!box) throw new Error('The preview has no frame.');
    await goTo(page, text, '<!doctype', 0);
    await page.keyboard.down('Alt');
    await page.mouse.click(box.x + (160 / 320) * box.width, box.y + (90 / 180) * box.height);
    await page.keyboard.up('Alt');
    const line = text.slice(0, text.indexOf('<div id="box"')).split('\n').length;
    await waitForText(page, selectors.cursorPosition, `Ln ${line}`);
  });

  test('lists errors in the Problems view until they are fixed', async () => {
    await typeOver('</body>', '<script>nobody.there();</script></body>');
    await runCommand(page, 'Problems: Focus on Problems View');
    await waitForText(page, selectors.problem, 'nobody is not defined');
    await saveScreenshot(page, 'preview-problems');
    await typeOver('nobody.there();', 'void 0;');
    await runCommand(page, 'Problems: Focus on Problems View');
    await waitForNone(page, `${selectors.problem} .codicon-error`);
    await runCommand(page, 'View: Toggle Panel Visibility');
  });

  test('is restored after a window reload', async () => {
    await runCommand(page, 'View: Focus First Editor Group');
    await runCommand(page, 'File: Save');
    await waitForNone(page, '.tab.active.dirty');
    // Without `openFile`, which would replace the open editors.
    await page.goto(`http://${workbench.authority}/?${new URLSearchParams({ folder: workspace.folder })}`);
    await page.waitForSelector(selectors.runButton, { timeout: 60_000 });
    await waitForText(page, '.tab', 'Preview plain.html');
    await waitForColor(110, 130, [0x00, 0xaa, 0x55]);
  });

  test('explains that a page is not a composition', async () => {
    await writeFile(inFolder('page.html'), '<!doctype html><html><body><p>Not here.</p></body></html>');
    await openFile(page, 'page.html');
    await runCommand(page, 'Framework: Open Preview to the Side');
    await waitForText(page, selectors.notification, 'page.html is not a composition');
    await closeNotifications(page);
    await rm(inFolder('page.html'));
  });
});

describe.skipIf(process.env.VSCODE_EXECUTABLE)('the preview in Restricted Mode', () => {
  let workbench: Workbench;
  let workspace: Workspace;

  beforeAll(async () => {
    workspace = await workspaceCopy();
    const trust = { enabled: true, startupPrompt: 'never', banner: 'never' };
    const settings = Object.entries(trust).map(([name, value]) => [`security.workspace.trust.${name}`, value]);
    workbench = await startWorkbench({ vsix, settings: Object.fromEntries(settings) });
  });
  afterAll(async () => {
    await workbench?.close();
    await workspace?.remove();
  });

  test('explains why there is no preview, and opens the trust editor', async () => {
    const file = remoteUri(workbench.authority, join(workspace.folder, 'index.html'));
    const page = await workbench.open(workspace.folder, [['openFile', file]]);
    await page.waitForSelector(selectors.runButton, { timeout: 60_000 });
    await runCommand(page, 'Framework: Open Preview to the Side');
    const panel = await frameWith(page, 'main > [role=alert]');
    await waitInFrame(panel, 'h1', 'This workspace is in Restricted Mode.');
    await saveScreenshot(page, 'preview-restricted');
    await panel.click('button');
    await waitForText(page, '.workspace-trust-editor', 'Restricted Mode');
  });
});
