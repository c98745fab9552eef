// The script that replaces the families in a page's styles, in a page with one family as the fallback. Fonts are not loaded.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { sharedBrowser } from '../../../support/renders/warmRender.ts';
import { core } from '../../../support/suites.ts';

const launched = sharedBrowser();

/** The part of the runtime alone: with a player, timers of the page would wait for its clock. */
const { outputFiles } = await build({
  stdin: {
    contents:
      "import { pinFonts } from './renderer-core/page/features/pinnedFonts/pinnedFontsInPage.ts'; pinFonts(window);",
    resolveDir: fileURLToPath(new URL('../../../../', import.meta.url)),
  },
  bundle: true,
  write: false,
});
const pinning = outputFiles[0]?.text ?? '';

/** What a script in a page returns, after the page was loaded. */
async function inPage(html: string, script: string): Promise<unknown> {
  const page = await launched().browser.newPage();
  try {
    await page.evaluateOnNewDocument(pinning);
    const style = '<style>:root { --framework-fallback-fonts: F }</style>';
    await page.goto(`data:text/html;charset=utf-8,${encodeURIComponent(`<!doctype html>${style}${html}`)}`);
    return await page.evaluate(`(async () => { ${script} })()`);
  } finally {
    await page.close();
  }
}

/** The families of the element with the id `x`, after a script. */
const familiesAfter = (html: string, script = '') =>
  inPage(
    html,
    `${script}; await new Promise((done) => setTimeout(done)); return getComputedStyle(window.found ?? x).fontFamily;`,
  );

test.each([
  ['a rule', '<style>p { font-family: Arial, sans-serif }</style><p id=x>', 'Arial, Arimo, F'],
  ['a font', '<style>p { font: 20px serif }</style><p id=x>', 'Tinos, F'],
  ['a nested rule', '<style>@media all { body { p { font-family: serif } } }</style><p id=x>', 'Tinos, F'],
  ['a layer', '<style>@layer a { p { font-family: serif } }</style><p id=x>', 'Tinos, F'],
  ['a keyword', '<style>p { font-family: initial }</style><p id=x>', 'Tinos, F'],
  ['a font of the system', '<style>p { font: menu }</style><p id=x>', 'Inter, F'],
  ['a custom property', '<style>p { --f: serif; font-family: var(--f) }</style><p id=x>', 'Tinos, F'],
  ['a whole font', '<style>p { --f: 20px X, serif; font: var(--f) }</style><p id=x>', 'X, Tinos, F'],
  ['a default of var()', '<style>p { font-family: var(--none, serif) }</style><p id=x>', 'Tinos, F'],
  ['an attribute', '<p id=x style="font-family: monospace">', 'Cousine, F'],
  ['SVG', '<svg><text id=x font-family="monospace">', 'Cousine, F'],
  ['a font element', '<font id=x face="Arial, monospace">', 'Arial, Cousine'],
])('replaces the families in %s', core, async (_, html, expected) => {
  expect(await familiesAfter(html)).toBe(expected);
});

test.each([
  ['style.fontFamily', '<p id=x>', 'x.style.fontFamily = "serif"'],
  ['setAttribute', '<p id=x>', 'x.setAttribute("style", "font: 20px serif")'],
  ['insertRule', '<style></style><p id=x>', 'document.styleSheets[1].insertRule("p { font-family: serif }")'],
  [
    'insertRule of a group',
    '<style>@media all {}</style><p id=x>',
    'document.styleSheets[1].cssRules[0].insertRule("p { font-family: serif }")',
  ],
  ['rule.style', '<style>p {}</style><p id=x>', 'document.styleSheets[1].cssRules[0].style.fontFamily = "serif"'],
  [
    'adoptedStyleSheets',
    '<p id=x>',
    'const sheet = new CSSStyleSheet(); sheet.replaceSync("p { font-family: serif }"); sheet.replaceSync("p { font: 9px serif }"); document.adoptedStyleSheets = [sheet]',
  ],
  ['innerHTML', '<div id=d>', 'd.innerHTML = "<style>p { font-family: serif }</style><p id=x>"'],
  ['text of a style', '<style id=s></style><p id=x>', 's.textContent = "p { font-family: serif }"'],
  [
    'a shadow root',
    '<div id=d>',
    'const root = d.attachShadow({ mode: "closed" }); root.innerHTML = "<style>p { font-family: serif }</style><p>"; window.found = root.lastChild',
  ],
  [
    'attributes in a shadow root',
    '<div id=d>',
    'const root = d.attachShadow({ mode: "open" }); root.innerHTML = "<p>"; window.found = root.lastChild; found.style.fontFamily = "serif"',
  ],
  [
    'a shadow root in the markup',
    '<div id=d><template shadowrootmode="open"><style>p { font-family: serif }</style><p></template></div>',
    'window.found = d.shadowRoot.lastChild',
  ],
])('replaces the families of what a script adds: %s', core, async (_, html, script) => {
  expect(await familiesAfter(html, script)).toBe('Tinos, F');
});

test('code in a shadow root has the font of code', async () => {
  const script =
    'const root = d.attachShadow({ mode: "open" }); root.innerHTML = "<code>"; root.adoptedStyleSheets = []; window.found = root.lastChild';
  expect(await familiesAfter('<div id=d>', script)).toBe('Cousine, F');
});

test('faces do not use fonts of the system', async () => {
  const css =
    '@font-face { font-family: A; src: local("Arial"), url(a.woff2) } @font-face { font-family: B; src: local(Arial) }';
  const script = 'return [...document.styleSheets[1].cssRules].map(({ cssText }) => cssText);';
  expect(await inPage(`<style>${css}</style>`, script)).toEqual([
    '@font-face { font-family: A; src: url("a.woff2"); }',
    '@font-face { font-family: "Framework Local"; src: local("Arial"); }',
  ]);
});

test('a canvas has the font that a script has set', async () => {
  const script = `const brush = document.createElement('canvas').getContext('2d');
    const fonts = [brush.font];
    brush.font = 'bold 20px Georgia'; fonts.push(brush.font);
    brush.save(); brush.font = '9px serif'; brush.measureText('x'); fonts.push(brush.font);
    brush.restore(); fonts.push(brush.font);
    brush.font = 'invalid'; fonts.push(brush.font);
    return fonts;`;
  expect(await inPage('', script)).toEqual([
    '10px sans-serif',
    'bold 20px Georgia',
    '9px serif',
    'bold 20px Georgia',
    'bold 20px Georgia',
  ]);
});
