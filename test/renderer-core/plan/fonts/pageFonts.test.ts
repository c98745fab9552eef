// Which pinned fonts a page declares, by the texts of its files.
import { expect, test } from 'vitest';
import { buildGraph } from '../../../../renderer-core/model/graph.ts';
import { choosePageFonts, type PageFonts } from '../../../../renderer-core/plan/fonts/pageFonts.ts';
import { filesOf } from '../../../support/editor/markup.ts';

/** `source`: the body of `index.html`, or files. Names are in lower case. */
function choose(source: string, values: Record<string, unknown> = {}): PageFonts {
  const files = source.startsWith('=== ') ? filesOf(source) : new Map([['index.html', `<body>${source}</body>`]]);
  const port = { exists: (path: string) => files.has(path), read: (path: string) => files.get(path) };
  const fonts = choosePageFonts(buildGraph('index.html', port.read), values, port);
  return { ...fonts, names: fonts.names.map((name) => name.toLowerCase()) };
}

const always = choose('<p>text').names;

test.each([
  ['<p style="font-family: Georgia, Calibri">', ['georgia', 'calibri']],
  ['<style>p { font: 20px "Segoe UI", system-ui }</style>', ['segoe ui', '-apple-system']],
  ['<text font-family="Cambria">', ['cambria']],
  ["<script>brush.font = '20px Courier New'; x.style.fontFamily = `Menlo`</script>", ['courier new', 'menlo']],
  ['<style>p { --font:Roboto }</style>', ['roboto']],
  ['<math><mi>x</mi></math>', ['framework math']],
  ['<style>p { font-family: sans-serif, Unknown }</style>', []],
])('%s also needs %j', (body, expected) => {
  expect(choose(body).names.filter((name) => !always.includes(name))).toEqual(expected);
});

test('looks into linked style sheets, embedded compositions and values', () => {
  const fonts = choose(
    `
=== index.html
<link rel="stylesheet" href="a.css"><div data-composition-id="main"><div data-composition-src="b.html"></div></div>
=== a.css
p { font-family: Georgia }
=== b.html
<div data-composition-id="b" style="font-family: Calibri"></div>
`,
    { font: 'Cambria' },
  );
  expect(fonts.names).toEqual(expect.arrayContaining(['georgia', 'calibri', 'cambria']));
});

test('leaves out families that the page declares', () => {
  const { names } = choose('<style>@font-face { font-family: "Inter"; src: url(a.woff2) }</style>');
  expect(names).not.toContain('inter');
  expect(choose("<script>new FontFace('Tinos', 'url(a.woff2)')</script>").names).not.toContain('tinos');
});

const eastAsian = ({ fallback }: PageFonts) => fallback.filter((name) => /Noto Sans [STJK][CPR]/.test(name));

test.each([
  ['<p>text', []],
  ['<p>中文', ['Noto Sans SC', 'Noto Sans TC', 'Noto Sans JP', 'Noto Sans KR']],
  ['<p>漢字かな', ['Noto Sans JP', 'Noto Sans SC', 'Noto Sans TC', 'Noto Sans KR']],
  ['<p>한국어', ['Noto Sans KR', 'Noto Sans SC', 'Noto Sans TC', 'Noto Sans JP']],
  ["<script>fetch('text.json')</script>", ['Noto Sans SC', 'Noto Sans TC', 'Noto Sans JP', 'Noto Sans KR']],
])('%s falls back to %j', (body, expected) => {
  expect(eastAsian(choose(body))).toEqual(expected);
});

test('falls back to the fonts of a language first', () => {
  const { byLanguage } = choose('<p>中文');
  const first = Object.fromEntries(
    Object.entries(byLanguage).map(([language, fallback]) => [
      language,
      fallback.find((name) => /Noto Sans [STJK][CPR]/.test(name)),
    ]),
  );
  expect(first).toMatchObject({
    ja: 'Noto Sans JP',
    ko: 'Noto Sans KR',
    zh: 'Noto Sans SC',
    'zh-TW': 'Noto Sans TC',
    'zh-Hant': 'Noto Sans TC',
  });
  expect(choose('<p>text').byLanguage).toEqual({});
});

test('knows the characters that scripts may draw or measure', () => {
  expect(choose('<p>é').neededAtOnce).toEqual([]);
  const { neededAtOnce } = choose("<script>brush.fillText('é', 0, 0)</script>");
  expect(neededAtOnce.slice(0, 3)).toEqual([0x20, 0x21, 0x22]);
  expect(neededAtOnce).toContain(0xe9);
  expect(neededAtOnce).not.toContain(0x4e2d);
});

test.each([
  'x.offsetWidth',
  'x.scrollTop = 77',
  'x.getBoundingClientRect()',
  'new SplitText(x)',
  'getComputedStyle(x)',
])('needs the fonts at once for a script with %s', (code) => {
  expect(choose(`<p id="x">é<script>${code}</script>`).neededAtOnce).toContain(0xe9);
});

test('loads fonts when text needs them if a script only moves elements', () => {
  expect(
    choose('<style>html { scroll-behavior: smooth }</style><script>x.style.left = "9px"</script>').neededAtOnce,
  ).toEqual([]);
});
