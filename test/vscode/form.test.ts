// The variables form in the sidebar and in front of a render, its sets, and what becomes of the values.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Frame, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { decode } from '../support/video.ts';
import { workspaceCopy } from './hostRun.ts';
import {
  closeNotifications,
  frameWith,
  openFile,
  pressButton,
  pressWithControl,
  runCommand,
  selectors,
  typeValue,
  waitForInput,
  waitForNone,
  waitForText,
  waitInFrame,
} from './ui.ts';
import { picture, remoteUri, startWorkbench, type Workbench } from './workbench.ts';

const vsix = fileURLToPath(new URL(`../../framework-${manifest.version}.vsix`, import.meta.url));

describe.skipIf(process.env.VSCODE_EXECUTABLE)('the variables form', () => {
  let workbench: Workbench;
  let workspace: Awaited<ReturnType<typeof workspaceCopy>>;
  let page: Page;
  let form: Frame;
  const inFolder = (path: string) => join(workspace.folder, path);

  beforeAll(async () => {
    workspace = await workspaceCopy();
    workbench = await startWorkbench({ vsix });
    page = await workbench.open(workspace.folder, [
      ['openFile', remoteUri(workbench.authority, inFolder('index.html'))],
    ]);
    await waitForText(page, selectors.editor, 'data-composition-variables');
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await picture(page, `failed ${task.name}`);
  });
  afterAll(async () => {
    await workbench?.close();
    await workspace?.remove();
  });

  test('has a field of its kind for each variable of the composition in front', async () => {
    await runCommand(page, 'Framework: Show Variables');
    form = await frameWith(page, '.field');
    await waitInFrame(form, 'h1', 'index.html');
    const fields = await form.$$eval('.field', (all) =>
      all.map((field) => [
        field.getAttribute('data-id'),
        field.querySelector('.label')?.textContent,
        [...field.querySelectorAll('input, select, textarea')].map((one) => (one as HTMLInputElement).type).join(),
        (field.querySelector('input:not([type=range])') as HTMLInputElement | null)?.value,
      ]),
    );
    await picture(page, 'form-sidebar');
    expect(fields).toEqual([
      ['title', 'Title', 'text', 'Hello'],
      ['size', 'Size', 'range,text', '40'],
      ['accent', 'Accent', 'color,text', '#ff5500'],
      ['bold', 'Bold', 'checkbox', 'on'],
      ['mood', 'Mood', 'radio,radio', 'calm'],
    ]);
  });
});
