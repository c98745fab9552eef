// Fonts of the project in renders: compositions use them without declaring them, also in place of unreachable Google Fonts.
import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { composition } from '../../../support/project.ts';
import { captureProject } from '../../../support/renders/frames.ts';
import { allPixels } from '../../../support/renders/video.ts';
import { core } from '../../../support/suites.ts';

const font = readFileSync(
  new URL('../../../../examples/data-chart/fonts/geist-latin-wght-normal.woff2', import.meta.url),
);
const face = '@font-face{font-family:Brand;src:url(brand.woff2)}';
const text = '<div style="font:20px Brand;color:#fff">Render</div>';

async function frameOf(files: Record<string, string | Uint8Array>, name = 'index.html'): Promise<string> {
  const [first] = (await captureProject(files, { composition: name })).frames;
  return first ? allPixels(first) : '';
}

const short = (body: string) => composition(body, { duration: 0.1 });

test('a composition uses the fonts of its project as if it declared them', async () => {
  const declared = await frameOf({ 'index.html': short(`<style>${face}</style>${text}`), 'brand.woff2': font });
  const inFolder = await frameOf(
    {
      'scenes/index.html': short(text),
      'fonts/brand.css': face,
      'fonts/brand.woff2': font,
    },
    'scenes/index.html',
  );
  const listed = await frameOf({
    'index.html': short(text),
    'framework.json': '{"fonts": ["brand/sheet.css"]}',
    'brand/sheet.css': face,
    'brand/brand.woff2': font,
  });
  const without = await frameOf({ 'index.html': short(text) });
  expect([inFolder === declared, listed === declared, without === declared]).toEqual([true, true, false]);
});

test('a missing file of a font sheet is an error at its line', core, async () => {
  const files = { 'index.html': short(text), 'fonts/brand.css': `/* Brand */\n${face}` };
  await expect(frameOf(files)).rejects.toMatchObject({
    code: 'asset_missing',
    message: 'The file fonts/brand.woff2 does not exist',
    place: { file: 'fonts/brand.css', line: 2 },
  });
});

describe('a style sheet of Google Fonts that cannot be loaded', () => {
  const google = 'https://fonts.googleapis.com/css2?framework-test=1&family=';

  function withoutGoogle(): void {
    const real = globalThis.fetch;
    const refuse = async (...[input, options]: Parameters<typeof fetch>) => {
      if (String(input).startsWith('https://fonts.googleapis.com')) throw new TypeError('fetch failed');
      return real(input, options);
    };
    vi.stubGlobal('fetch', refuse);
    onTestFinished(() => void vi.unstubAllGlobals());
  }

  const warningsOf = async (files: Record<string, string | Uint8Array>) => {
    withoutGoogle();
    return (await captureProject(files)).warnings;
  };

  const fonts = { 'fonts/brand.css': face, 'fonts/brand.woff2': font };
  const linked = (families: string) =>
    composition(text, { duration: 0.1, head: `\n<link rel="stylesheet" href="${google}${families}">` });

  test('is left out with a warning if the project or the pinned set has its families', async () => {
    expect(await warningsOf({ ...fonts, 'index.html': linked('Brand:wght@400;700&family=Inter') })).toEqual([
      'index.html:3:30: A style sheet of Google Fonts could not be loaded (fetch failed); the page uses Brand from fonts/brand.css, Inter from the fonts of Framework. To use them always, remove the reference to it',
    ]);
  });

  test('is left out if a style sheet imports it', async () => {
    const html = composition(text, { duration: 0.1, head: '<link rel="stylesheet" href="style.css">' });
    const style = `@import url("${google}Roboto");\n#root { color: red }`;
    expect(await warningsOf({ ...fonts, 'index.html': html, 'style.css': style })).toEqual([
      expect.stringMatching(
        /^style\.css:1:14: A style sheet of Google Fonts could not be loaded .* Roboto from the fonts of Framework/,
      ),
    ]);
  });

  test('is an error that names the command for its other families', async () => {
    const files = { ...fonts, 'index.html': linked('Brand&family=Inter&family=DM+Sans:ital,wght@0,400;1,700') };
    await expect(warningsOf(files)).rejects.toMatchObject({
      code: 'asset_missing',
      message: expect.stringContaining('could not be loaded'),
      hint: 'Add the family to the project: framework fonts add "DM Sans" --weights 400,700',
      place: { file: 'index.html', line: 3 },
    });
  });
});
