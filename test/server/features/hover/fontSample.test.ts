// The image of a font family in its hover, for the cursor `|`.
import { expect, test } from 'vitest';
import type { FontFiles } from '../../../../server/features/hover/fontSample.ts';
import { hover, hoverWithSample } from '../../../../server/features/hover/hover.ts';
import { fileWithCursor } from '../../../support/editor/sourceFile.ts';

const root = (markup: string) => `<div data-composition-id="main">${markup}</div>`;
const face = (more = 'src: url(own.woff2)') => `@font-face { font-family: Own; ${more} }`;
const fontNames = ['own', 'bold', 'italic', 'cyrillic', 'latin'];
const own = (css: string) =>
  `=== index.html\n${root(`<style>${css} p { font-family: O|wn }</style>`)}\n${fontNames.map((name) => `=== ${name}.woff2\n`).join('')}`;
const named = (list: string) => root(`<style>p { font-family: ${list} }</style>`);

/** Reads files by their whole path: `index.html`'s folder is `file:///project`, and packages have their names. */
function filesOf(contents: Record<string, Uint8Array | string>): FontFiles {
  const read = async (path: string, maxBytes: number) => {
    const content = contents[path];
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    return bytes && bytes.length <= maxBytes ? bytes : undefined;
  };
  return {
    ofProject: (uri, maxBytes) => read(uri.replace('file:///project/', ''), maxBytes),
    ofPackage: (name, path, maxBytes) => read(`${name}/${path}`, maxBytes),
  };
}

/** The Markdown of the hover, and the decoded SVG of its image; '' without one. */
async function sampleAt(markup: string, contents: Record<string, Uint8Array | string>) {
  const { file, offset } = fileWithCursor(markup);
  const found = await hoverWithSample(file, offset, filesOf(contents));
  const says = found && typeof found.contents === 'object' && 'value' in found.contents ? found.contents.value : '';
  const [, url = ''] = /!\[[^\]]*\]\(data:image\/svg\+xml,([^\s()]*)\)$/.exec(says) ?? [];
  return { says, svg: decodeURIComponent(url) };
}

const linesIn = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, line]) => line);

/** Four bytes, which are `AQL+/w==` in Base64. */
const font = Uint8Array.of(1, 2, 254, 255);
const other = Uint8Array.of(9, 9, 9);

test('shows the letters of a font of the project after the text', async () => {
  const { says, svg } = await sampleAt(own(face()), { 'own.woff2': font });
  expect(says).toMatch(/^\*\*Own\*\*: declared in this file\n\n!\[The letters of the font\]\(data:/);
  expect(svg).toContain('@font-face{font-family:sample;src:url(data:font/woff2;base64,AQL+/w==)}');
  expect(svg).toContain('<rect width="360" height="92" rx="6" fill="#fff"/>');
  expect(linesIn(svg)).toEqual(['Own', 'Aa Bb Cc 123']);
});

test('finds files relative to the style sheet', async () => {
  const { svg } = await sampleAt(
    `=== scenes/a.html\n${named('O|wn')}\n=== fonts/own.css\n${face("src: url('files/own.ttf?v=2#x')")}\n=== fonts/files/own.ttf\n`,
    { 'fonts/files/own.ttf': font },
  );
  expect(svg).toContain('url(data:font/ttf;base64,AQL+/w==)');
});

test('chooses the upright file of weight 400 that has the letters', async () => {
  const faces = [
    face('src: url(bold.woff2); font-weight: 700'),
    face('src: url(italic.woff2); font-style: italic'),
    face('src: url(cyrillic.woff2); unicode-range: U+400-4FF'),
    face('src: local("Own"), url(latin.woff2) format("woff2"); font-weight: 100 900; unicode-range: U+0-FF'),
  ];
  const contents = { 'bold.woff2': other, 'italic.woff2': other, 'cyrillic.woff2': other };
  const { svg } = await sampleAt(own(faces.join('')), { ...contents, 'latin.woff2': font });
  expect(svg).toContain('AQL+/w==');
  const { svg: bold } = await sampleAt(own(faces.join('')), { ...contents, 'bold.woff2': font });
  expect(bold).toContain('AQL+/w==');
});

const tinos = `@font-face { font-family: 'Tinos'; font-weight: 400; src: url(./files/greek.woff2); unicode-range: U+370-3FF; }
@font-face { font-family: 'Tinos'; font-weight: 400; src: url(./files/latin.woff2) format('woff2'); unicode-range: U+0000-00FF; }`;

test.each(['Times New Rom|an', 'seri|f', 'Tino|s'])('shows the included font that text in %s uses', async (list) => {
  const { svg } = await sampleAt(named(list), {
    '@fontsource/tinos/400.css': tinos,
    '@fontsource/tinos/files/latin.woff2': font,
  });
  expect(svg).toContain('AQL+/w==');
  expect(linesIn(svg)).toEqual(['Tinos', 'Aa Bb Cc 123']);
});

test('shows letters of the writing system of a family', async () => {
  const hebrew = `@font-face { font-family: N; font-weight: 100 900; src: url(./files/a.woff2); unicode-range: U+590-5FF }`;
  const { svg } = await sampleAt(named('"Noto Sans Heb|rew"'), {
    '@fontsource-variable/noto-sans-hebrew/index.css': hebrew,
    '@fontsource-variable/noto-sans-hebrew/files/a.woff2': font,
  });
  expect(linesIn(svg)).toEqual(['אבגד הוז']);
});

test.each([
  ['is not on this machine', named('Tino|s'), {}],
  ['is not available', named('Futu|ra'), {}],
  ['is too large', own(face()), { 'own.woff2': new Uint8Array(72_001) }],
  ['is of another kind', own(face('src: url(own.svg)')), { 'own.svg': font }],
  ['is outside the project', own(face('src: url(../own.woff2)')), { 'own.woff2': font, '../own.woff2': font }],
  ['is on another host', own(face('src: url(https://a.example/own.woff2)')), { 'own.woff2': font }],
  ['does not have the letters', own(face('src: url(own.woff2); unicode-range: U+400-4FF')), { 'own.woff2': font }],
])('has no image if the font %s', async (_, markup, contents) => {
  const { says, svg } = await sampleAt(markup, contents);
  const { file, offset } = fileWithCursor(markup);
  expect(svg).toBe('');
  expect({ contents: { kind: 'markdown', value: says } }).toMatchObject({ contents: hover(file, offset)?.contents });
});

test('fits into the longest hover of VS Code with the largest font', async () => {
  const { says } = await sampleAt(own(face()), { 'own.woff2': new Uint8Array(72_000).fill(255) });
  expect(says.length).toBeGreaterThan(96_000);
  expect(says.length).toBeLessThanOrEqual(100_000);
});

test('escapes the name of a family', async () => {
  const name = '</text>&](x)![<b>`*';
  const rules = `@font-face { font-family: "${name}"; src: url(own.woff2) } p { font-family: |"${name}" }`;
  const markup = `=== index.html\n${root(`<style>${rules}</style>`)}\n=== own.woff2\n`;
  const { says, svg } = await sampleAt(markup, { 'own.woff2': font });
  expect(says.match(/(?<!\\)\]\(/g)).toHaveLength(1);
  expect(linesIn(svg)).toEqual(['&#60;/text&#62;&#38;](x)![&#60;b&#62;`*', 'Aa Bb Cc 123']);
});

test('has no image for other hovers', async () => {
  expect((await sampleAt(root('<p data-st|art="0"></p>'), {})).says).toContain('When the clip starts');
  expect((await sampleAt(root('<p>te|xt</p>'), {})).says).toBe('');
});
