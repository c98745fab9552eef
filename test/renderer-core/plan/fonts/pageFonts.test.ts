// Which pinned fonts a page declares, by the texts of its files.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { familyRanges } from '../../../../renderer-core/model/fonts/familyRanges.ts';
import { pinnedFamilies } from '../../../../renderer-core/model/fonts/pinnedFamilies.ts';
import { hasCharacter } from '../../../../renderer-core/model/fonts/unicodeRanges.ts';
import { buildGraph } from '../../../../renderer-core/model/graph.ts';
import { readFaces } from '../../../../renderer-core/plan/fonts/fontFaces.ts';
import { choosePageFonts, type PageFonts, withoutFamilies } from '../../../../renderer-core/plan/fonts/pageFonts.ts';
import { fontCharacters } from '../../../../scripts/fontCharacters.ts';
import { filesOf } from '../../../support/editor/markup.ts';
import { repository } from '../../../support/repositoryFiles.ts';

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

const emoji = ['Framework Emoji', 'Noto Color Emoji'];

test.each([
  ['<p>text → ½ ☎', []],
  ['<p style="font-family: Arial, Apple Color Emoji">text', []],
  ['<p>😀', emoji],
  ['<p>&#x2705;', emoji],
  ['<p>☎\ufe0f', emoji],
  ['<style>p::before { content: "\\2b50" }</style>', emoji],
  ['<style>p::before { content: "\\01F600" }</style>', emoji],
  ['<style>p::before { content: "\\2713" }</style>', []],
  ["<script>p.append('\\ud83d\\ude00')</script>", emoji],
  ['<script>p.append(String.fromCodePoint(0x1f600 + i))</script>', emoji],
])('%s needs the emoji fonts %j', (body, expected) => {
  const { fallback, names } = choose(body);
  expect(fallback.filter((family) => emoji.includes(family))).toEqual(expected);
  expect(names.some((name) => name.includes('emoji'))).toBe(expected.length > 0);
});

test('all characters that only the emoji font has, need it', () => {
  const charactersOf = (name: string) => {
    const family = pinnedFamilies.find((one) => one.name === name);
    const folder = `${repository}node_modules/${family?.package}/`;
    const faces = family?.sheets.flatMap((sheet) => readFaces(readFileSync(`${folder}${sheet}.css`, 'utf8'))) ?? [];
    const isUsed = (ranges: string, character: number) => ranges === '' || hasCharacter(ranges, [character]);
    return faces.flatMap(({ file, ranges }) =>
      fontCharacters(readFileSync(folder + file)).filter((one) => isUsed(familyRanges(name) ?? ranges, one)),
    );
  };
  const others = new Set(
    choose('<p>text').fallback.flatMap((family) => (family.includes('Noto Sans A') ? [] : charactersOf(family))),
  );
  const only = charactersOf('Noto Color Emoji').filter((character) => !others.has(character));
  const unneeded = only.map((code) => String.fromCodePoint(code)).filter((text) => !hasEmojiFont(text));
  // Those of Chinese and Japanese text are in its fonts. Tags only follow a flag.
  expect(unneeded.filter((text) => !/[〰〽㊗㊙]|[\u{e0020}-\u{e007f}]/u.test(text))).toEqual([]);
  expect(only.length).toBeGreaterThan(1000);
});

const hasEmojiFont = (text: string) => choose(`<p>${text}`).fallback.includes('Noto Color Emoji');

test('names the families that only unknown text needs, and does without them', () => {
  const unknown = choose("<p>text<script>fetch('text.json')</script>");
  expect(unknown.possible).toEqual([...['SC', 'TC', 'JP', 'KR'].map((script) => `Noto Sans ${script}`), ...emoji]);
  const { names, fallback, byLanguage } = withoutFamilies(unknown, new Set(unknown.possible));
  expect({ names: names.map((name) => name.toLowerCase()), fallback }).toEqual({
    names: always,
    fallback: choose('<p>text').fallback,
  });
  expect(byLanguage).toMatchObject({ ja: fallback, 'zh-TW': fallback });
  expect(choose("<p>日本 😀<script>fetch('text.json')</script>").possible).toEqual([]);
  expect(choose('<p>text').possible).toEqual([]);
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
