// The packed extension with a pseudo-translation: the manifest, the code and the webviews must show only translated texts.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import bundle from '../../l10n/bundle.l10n.json' with { type: 'json' };
import { pseudo, pseudoBundle } from '../support/editor/pseudoTranslation.ts';
import { makeZip } from '../support/makeZip.ts';
import { suiteWindow } from '../support/vscode/suiteWindow.ts';
import { clickAt, frameWith, runCommand, selectors, waitForText, waitInFrame } from '../support/vscode/ui.ts';
import { packed, saveScreenshot } from '../support/vscode/workbench.ts';
import { readZip } from '../support/zip.ts';

const language = 'eo';

/** Writes a copy of the packed extension with another language to the folder. Returns its path. */
async function translated(folder: string): Promise<string> {
  const files = readZip(packed);
  for (const [name, english] of [
    ['package.nls', JSON.parse(String(files.get('extension/package.nls.json')))],
    ['l10n/bundle.l10n', bundle],
  ])
    files.set(`extension/${name}.${language}.json`, Buffer.from(JSON.stringify(pseudoBundle(english))));
  const path = join(folder, 'translated.vsix');
  await writeFile(path, makeZip([...files].map(([name, data]) => ({ name, data }))));
  return path;
}

describe('in another language', () => {
  let folder: string;
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const editor = suiteWindow(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fw-language-'));
    return { open: 'index.html', vsix: await translated(folder), language };
  });
  let page: Page;

  beforeAll(() => {
    ({ page } = editor);
  });

  test('translates the views and their content', async () => {
    await runCommand(page, `Framework: ${pseudo('Show Variables')}`);
    const titles = '.pane-header .title';
    for (const title of ['Compositions', 'Variables', 'Videos']) await waitForText(page, titles, pseudo(title));
    await waitForText(page, '.welcome-view-content', pseudo('No videos have been rendered yet.').slice(0, -1));
    await waitForText(page, '.monaco-list-row .label-description', pseudo('{0} s').replace('{0}', '1'));
  });

  test('translates the form, except texts of the composition', async () => {
    const form = await frameWith(page, '.field');
    await waitInFrame(form, '.count', pseudo('{0} of {1} changed').replace('{0}', '0').replace('{1}', '5'));
    expect(await form.$eval('html', (root) => root.lang)).toBe(language);
    const texts = await form.$$eval('button, .hint, option, .sets .label', (all) =>
      all.flatMap((one) => [one.textContent, (one as HTMLElement).title, one.ariaLabel]).filter((text) => text),
    );
    expect(texts.length).toBeGreaterThan(8);
    expect(texts.filter((text) => !/^⟦.*⟧$/.test(text ?? ''))).toEqual([]);
  });

  test('translates the doctor, except texts of the command line', async () => {
    await runCommand(page, `Framework: ${pseudo('Run Doctor')}`);
    const doctor = await frameWith(page, '.verdict');
    await waitInFrame(doctor, '.verdict', pseudo('This machine can render.'));
    const texts = await doctor.$$eval('h1, .verdict, caption, thead th, .sign, button', (all) =>
      all.map((one) => one.textContent),
    );
    expect(texts.filter((text) => !/^⟦.*⟧$/.test(text ?? ''))).toEqual([]);
  });

  test('translates the code lenses', async () => {
    await clickAt(page, '.tab[aria-label^="index.html"]');
    for (const title of ['Render', 'Render…']) await waitForText(page, selectors.lens, pseudo(title));
  });

  test('translates the language status', async () => {
    await clickAt(page, '.tab[aria-label^="index.html"]');
    await waitForText(page, '.tab.active', 'index.html');
    await clickAt(page, selectors.status);
    await waitForText(page, selectors.statusDetail, pseudo('Ready to render'));
    await saveScreenshot(page, 'translated');
  });
});
