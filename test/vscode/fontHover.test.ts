// The hover on a font family, in a workbench: its image is shown, and the letters in it have the font.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { goTo, runCommand, selectors, waitForText } from './ui.ts';
import { remoteUri, saveScreenshot, startWorkbench, type Workbench } from './workbench.ts';

const vsix = fileURLToPath(new URL(`../../framework-${manifest.version}.vsix`, import.meta.url));
const html = `<!doctype html>
<style>
  h1 { font-family: Georgia, serif; }
</style>
<div data-composition-id="fonts" data-width="640" data-height="360" data-duration="1"><h1>Hi</h1></div>
`;

let workbench: Workbench;
let folder: string;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fw-ws-'));
  await writeFile(join(folder, 'index.html'), html);
  workbench = await startWorkbench({ vsix });
  page = await workbench.open(folder, [['openFile', remoteUri(workbench.authority, join(folder, 'index.html'))]]);
  await waitForText(page, selectors.editor, 'Georgia');
});
afterAll(async () => {
  await workbench?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The image of an SVG in a data URI, as a PNG in one. */
const draw = (src: string) =>
  page.evaluate(async (from) => {
    const image = new Image();
    image.src = from;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    return canvas.toDataURL();
  }, src);

test('shows the letters of an included font', async () => {
  await waitForText(page, selectors.lens, 'Render');
  await goTo(page, html, 'Georgia', 2);
  await runCommand(page, 'Show or Focus Hover');
  await waitForText(page, '.monaco-hover', 'text uses Gelasio');
  // The hover is drawn again when other extensions add their text, so its elements change.
  const shown = await page.waitForFunction(() => {
    const image = document.querySelector<HTMLImageElement>('.monaco-hover img[src^="data:image/svg+xml"]');
    return image && image.offsetWidth > 0 && ([image.src, image.offsetWidth, image.offsetHeight] as const);
  });
  await saveScreenshot(page, 'font-hover');
  const [src, width, height] = (await shown.jsonValue()) || ['', 0, 0];
  expect([width, height]).toEqual([360, 92]);
  const withoutFont = src.replace(/(base64%2C)[^%]+/, '$1');
  expect(withoutFont.length).toBeLessThan(2000);
  expect(await draw(src)).not.toBe(await draw(withoutFont));
});
