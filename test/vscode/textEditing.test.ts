// Texts that are edited in the live preview: edits of the text that undo takes back.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Frame, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { workspaceCopy } from './hostRun.ts';
import { frameWith, pressWithControl, runCommand, selectors, waitForNone, waitForText } from './ui.ts';
import { remoteUri, saveScreenshot, startWorkbench, type Workbench } from './workbench.ts';

const vsix = fileURLToPath(new URL(`../../framework-${manifest.version}.vsix`, import.meta.url));

const source = `<!doctype html>
<html data-composition-variables='[{"id":"name","type":"string","label":"Name","default":"Halo"}]'>
  <body style="margin: 0">
    <div data-composition-id="main" data-width="640" data-height="360" data-duration="4" style="font: 40px sans-serif">
      <h1 id="greeting">Hello &amp; welcome</h1>
      <p id="name" data-var-text="name"></p>
    </div>
  </body>
</html>
`;

// Longer than the default, for slow machines.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

describe.skipIf(process.env.VSCODE_EXECUTABLE)('texts in the preview', () => {
  let workbench: Workbench;
  let workspace: Awaited<ReturnType<typeof workspaceCopy>>;
  let page: Page;
  let preview: Frame;
  const path = () => join(workspace.folder, 'texts.html');
  const waitForContent = (id: string, text: string) =>
    preview.waitForFunction(
      (selector, wanted) => {
        const shown = document.querySelector<HTMLIFrameElement>('iframe.shown')?.contentDocument;
        return shown?.querySelector(selector)?.textContent === wanted;
      },
      { timeout: 60_000 },
      id,
      text,
    );

  /** Opens the field of a text, as a double click does. */
  async function doubleClick(id: string): Promise<void> {
    const stage = await (await preview.$('.stage'))?.boundingBox();
    const at = await preview.evaluate((selector) => {
      const frame = document.querySelector<HTMLIFrameElement>('iframe.shown');
      const box = frame?.contentDocument?.querySelector(selector)?.getBoundingClientRect();
      const [outer, own] = [frame?.getBoundingClientRect(), document.querySelector('.stage')?.getBoundingClientRect()];
      if (!frame || !box || !outer || !own) throw new Error(`${selector} is not shown`);
      const scale = outer.width / frame.clientWidth;
      return {
        x: outer.x - own.x + (box.x + 10) * scale,
        y: outer.y - own.y + (box.y + box.height / 2) * scale,
      };
    }, id);
    const isFocused = () =>
      preview.waitForFunction(
        () => document.querySelector<HTMLIFrameElement>('iframe.shown')?.contentDocument?.activeElement?.textContent,
        { timeout: 5_000 },
      );
    // The preview ignores the pointer until it shows the text of the last edit.
    for (let attempts = 5; ; attempts--) {
      await page.mouse.click((stage?.x ?? 0) + at.x, (stage?.y ?? 0) + at.y, { count: 2 });
      const error = await isFocused().then(
        () => undefined,
        (reason: Error) => reason,
      );
      if (!error) break;
      if (attempts === 1) throw error;
    }
    await preview.waitForSelector('.stage.editing');
  }

  beforeAll(async () => {
    workspace = await workspaceCopy();
    await writeFile(path(), source);
    workbench = await startWorkbench({
      vsix,
      settings: { 'editor.minimap.enabled': false, 'framework.preview.reload': 'onSave' },
      forwardsPorts: true,
    });
    page = await workbench.open(workspace.folder, [['openFile', remoteUri(workbench.authority, path())]]);
    await page.waitForSelector(selectors.runButton, { timeout: 60_000 });
    await runCommand(page, 'Framework: Open Preview to the Side');
    preview = await frameWith(page, '.clips, .timeline, .stage iframe.shown');
    await waitForContent('#greeting', 'Hello & welcome');
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await saveScreenshot(page, `failed ${task.name}`);
  });
  afterAll(async () => {
    await workbench?.close();
    await workspace?.remove();
  });

  test('changes a literal with edits of the text that undo takes back, also with reload on save', async () => {
    await doubleClick('#greeting');
    await page.keyboard.type('Bonjour');
    await saveScreenshot(page, 'text-field');
    await page.keyboard.press('Enter');
    await waitForText(page, selectors.editor, '<h1 id="greeting">Bonjour</h1>');
    await waitForContent('#greeting', 'Bonjour');
    // A second edit of the unsaved file.
    await doubleClick('#greeting');
    await page.keyboard.type('A < B');
    await page.keyboard.press('Enter');
    await waitForText(page, selectors.editor, '<h1 id="greeting">A &lt; B</h1>');
    expect(await readFile(path(), 'utf8')).toBe(source);
    await runCommand(page, 'View: Focus First Editor Group');
    await pressWithControl(page, 'z');
    await waitForText(page, selectors.editor, '<h1 id="greeting">Bonjour</h1>');
    await pressWithControl(page, 'z');
    await waitForText(page, selectors.editor, '<h1 id="greeting">Hello &amp; welcome</h1>');
    await waitForNone(page, '.tab.dirty');
    await waitForContent('#greeting', 'Hello & welcome');
  });
});
