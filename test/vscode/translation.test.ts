// A translation that is put beside the packed extension's sentences is what people read: in the manifest, the code, the webviews.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { makeZip } from '../support/makeZip.ts';
import { pseudo, pseudoBundle } from '../support/pseudoTranslation.ts';
import { readZip } from '../support/zip.ts';
import { workspaceCopy } from './hostRun.ts';
import { clickAt, frameWith, runCommand, selectors, waitForText, waitInFrame } from './ui.ts';
import { picture, remoteUri, startWorkbench, type Workbench } from './workbench.ts';

const vsix = fileURLToPath(new URL(`../../framework-${manifest.version}.vsix`, import.meta.url));
const language = 'eo';

// A busy machine takes its time.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

/** The packed extension with one language more; gives its path in the folder. */
async function translated(folder: string): Promise<string> {
  const files = readZip(vsix);
  for (const [from, to] of [
    ['extension/package.nls.json', `extension/package.nls.${language}.json`],
    ['extension/l10n/bundle.l10n.json', `extension/l10n/bundle.l10n.${language}.json`],
  ] as const)
    files.set(to, Buffer.from(JSON.stringify(pseudoBundle(JSON.parse(String(files.get(from)))))));
  const path = join(folder, 'translated.vsix');
  await writeFile(path, makeZip([...files].map(([name, data]) => ({ name, data }))));
  return path;
}

describe.skipIf(process.env.VSCODE_EXECUTABLE)('in another language', () => {
  let workbench: Workbench;
  let workspace: Awaited<ReturnType<typeof workspaceCopy>>;
  let folder: string;
  let page: Page;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fw-words-'));
    workspace = await workspaceCopy();
    workbench = await startWorkbench({ vsix: await translated(folder), language });
    page = await workbench.open(workspace.folder, [
      ['openFile', remoteUri(workbench.authority, join(workspace.folder, 'index.html'))],
    ]);
    await waitForText(page, selectors.editor, 'data-composition-variables');
    await page.waitForSelector(selectors.runButton, { timeout: 60_000 });
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await picture(page, `failed ${task.name}`);
  });
  afterAll(async () => {
    await workbench?.close();
    await workspace?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  test('are the views, and what they hold', async () => {
    await runCommand(page, `Framework: ${pseudo('Show Variables')}`);
    const titles = '.pane-header .title';
    for (const title of ['Compositions', 'Variables', 'Renders']) await waitForText(page, titles, pseudo(title));
    await waitForText(page, '.welcome-view-content', pseudo('Videos that you render are listed here').slice(0, -1));
    await waitForText(page, '.monaco-list-row .label-description', pseudo('{0} s').replace('{0}', '1'));
  });

  test('is the form, but for what the composition says itself', async () => {
    const form = await frameWith(page, '.field');
    await waitInFrame(form, '.count', pseudo('{0} of {1} changed').replace('{0}', '0').replace('{1}', '5'));
    expect(await form.$eval('html', (root) => root.lang)).toBe(language);
    const said = await form.$$eval('button, .hint, option, .sets .label', (all) =>
      all.flatMap((one) => [one.textContent, (one as HTMLElement).title, one.ariaLabel]).filter((text) => text),
    );
    expect(said.length).toBeGreaterThan(8);
    expect(said.filter((text) => !/^⟦.*⟧$/.test(text ?? ''))).toEqual([]);
  });

  test('is the doctor, but for what the command line found', async () => {
    await runCommand(page, `Framework: ${pseudo('Doctor')}`);
    const doctor = await frameWith(page, '.verdict');
    await waitInFrame(doctor, '.verdict', pseudo('This machine can render.'));
    const said = await doctor.$$eval('h1, .verdict, caption, thead th, .sign, button', (all) =>
      all.map((one) => one.textContent),
    );
    expect(said.filter((text) => !/^⟦.*⟧$/.test(text ?? ''))).toEqual([]);
  });

  test('are the lenses', async () => {
    await clickAt(page, '.tab[aria-label^="index.html"]');
    for (const title of ['Render', 'Render with variables…']) await waitForText(page, selectors.lens, pseudo(title));
  });

  test('is the status of an HTML file', async () => {
    await clickAt(page, '.tab[aria-label^="index.html"]');
    await waitForText(page, '.tab.active', 'index.html');
    await clickAt(page, selectors.status);
    await waitForText(page, selectors.statusDetail, pseudo('Ready to render'));
    await picture(page, 'translated');
  });
});
