// The hover on a font family, in a workbench: its image is shown, and the letters in it have the font.
import type { Page } from 'puppeteer-core';
import { beforeAll, expect, test } from 'vitest';
import { suiteWindow } from '../support/vscode/suiteWindow.ts';
import { goTo, runCommand, selectors, waitForText } from '../support/vscode/ui.ts';
import { saveScreenshot } from '../support/vscode/workbench.ts';

const html = `<!doctype html>
<style>
  h1 { font-family: Georgia, serif; }
</style>
<div data-composition-id="fonts" data-width="640" data-height="360" data-duration="1"><h1>Hi</h1></div>
`;

const editor = suiteWindow(() => ({ copies: [], files: { 'index.html': html }, open: 'index.html' }));
let page: Page;
beforeAll(() => {
  ({ page } = editor);
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
