// The parts of an element that the popup of the preview changes, and the text after a change.

import { expect, test } from 'vitest';
import { changePart, findParts, partVariable } from '../../../../server/features/refactor/shownParts.ts';
import type { PartName, PartsRequest } from '../../../../server/protocol.ts';
import { sourceFile } from '../../../support/editor/sourceFile.ts';
import { applied } from '../../../support/editor/workspaceEdit.ts';

const variables = `[{"id":"ink","type":"color","default":"#111111"},{"id":"photo","type":"string","default":"a.png"}]`;
const page = (style: string, body: string) =>
  `<html data-composition-variables='${variables}'><head><style>${style}</style></head><body><div data-composition-id="main">${body}</div></body></html>`;

function fileWith(source: string) {
  const file = sourceFile(
    new Map([
      ['index.html', source],
      ['a.png', ''],
      ['media/b c.jpg', ''],
      ['x.mp4', ''],
    ]),
    'index.html',
  );
  if (!file) throw new Error('no composition');
  return file;
}
const requestAt = (source: string, tag: string): PartsRequest => ({
  offset: source.indexOf(tag),
  hosts: [],
  drafts: {},
});

/** Each source of a part: where it applies and what it is. */
function sources(source: string, tag: string, name: PartName): string[] {
  const part = findParts(fileWith(source), requestAt(source, tag)).find((one) => one.name === name);
  return (part?.sources ?? []).map(({ selector, offset, value, property, variable, reason }) => {
    const where = selector ?? source.slice(offset, source.indexOf('>', offset) + 1);
    const names = [property, variable].filter((name) => name !== undefined).map((name) => ` (${name})`);
    return `${where} → ${value}${names.join('')}${reason === undefined ? '' : `: ${reason}`}`;
  });
}

/** The style or body after the first source of a part has been changed, or the draft value. */
function changed(source: string, tag: string, name: PartName, value: string): unknown {
  const file = fileWith(source);
  const request = requestAt(source, tag);
  const first = findParts(file, request).find((one) => one.name === name)?.sources[0];
  const change = changePart(file, request, { name, index: 0, value: first?.value ?? '' }, value);
  if ('draft' in change) return change.draft;
  return 'reason' in change ? change.reason : applied(source, { changes: { [file.uri]: change.edits } });
}

test('finds what sets a color, the winner first', () => {
  const style = `
    p { background: red }
    .card, #late { background-color: #0f0 !important; color: #123 }
    p.card { background: rgb(1, 2, 3) }
    #card { background: url(a.png) no-repeat navy }
    @media print { p { background: white } }
    @keyframes k { to { background: white } }`;
  const source = page(style, '<p id="card" class="card" style="background: /* x */ tomato">x</p>');
  expect(sources(source, '<p', 'background-color')).toEqual([
    '#late → #00ff00',
    '.card → #00ff00',
    '<p id="card" class="card" style="background: /* x */ tomato"> → #ff6347',
    '#card → #000080',
    'p.card → #010203',
    'p → #ff0000',
  ]);
});

test('changes a color where it is written', () => {
  const source = page('p{background:url("a.png") RED;margin:0}', '<p style="color: #FFF; margin: 0">x</p>');
  expect(changed(source, '<p', 'background-color', '#0a0b0c')).toBe(source.replace('RED', '#0a0b0c'));
  const request = {
    ...requestAt(source, '<p'),
    text: { offset: source.indexOf('<p'), whole: 'x', run: { text: 'x', before: 0 }, keepsLines: false },
  };
  const file = fileWith(source);
  const change = changePart(file, request, { name: 'color', index: 0, value: '#ffffff' }, '#0a0b0c');
  expect('edits' in change && applied(source, { changes: { [file.uri]: change.edits } })).toBe(
    source.replace('#FFF', '#0a0b0c'),
  );
});

test('follows a custom property of the author, and sets the draft value of a variable', () => {
  const source = page(':root{--brand:#222222}p{background:var(--brand)}i{background:var(--ink)}', '<p>x</p><i>y</i>');
  expect(sources(source, '<p', 'background-color')).toEqual(['i → #111111 (ink)', 'p → #222222 (--brand)']);
  expect(changed(page('i{background:var(--ink)}', '<i>y</i>'), '<i', 'background-color', '#0a0b0c')).toEqual({
    id: 'ink',
    value: '#0a0b0c',
  });
  const own = page(':root{--brand:#222222}p{background:var(--brand)}', '<p>x</p>');
  expect(changed(own, '<p', 'background-color', '#0a0b0c')).toBe(own.replace('#222222', '#0a0b0c'));
});

test('finds each definition of a custom property with the elements that inherit it', () => {
  const style =
    '#root{--tint:#111111;--mark:var(--tint)}#root.paper,.light{--tint:#eeeeee}@media print{#root{--tint:red}}p{background:var(--mark)}';
  const source = page(style, '<p>x</p>');
  const [part] = findParts(fileWith(source), requestAt(source, '<p'));
  expect(part?.sources.map(({ value, from, property }) => [value, property, from])).toEqual([
    ['#eeeeee', '--tint', [['#root.paper', '.light']]],
    ['#111111', '--tint', [['#root']]],
    ['#ff0000', '--tint', [[]]],
  ]);
  const second = { name: 'background-color' as const, index: 1, value: '#111111' };
  const file = fileWith(source);
  const change = changePart(file, requestAt(source, '<p'), second, '#0a0b0c');
  expect('edits' in change && applied(source, { changes: { [file.uri]: change.edits } })).toBe(
    source.replace('#root{--tint:#111111', '#root{--tint:#0a0b0c'),
  );
});

test('reads a text variable as a color', () => {
  const withPhoto = (value: string) => page('p{background:var(--photo)}', '<p>x</p>').replace('a.png', value);
  const found = (value: string) => sources(withPhoto(value), '<p', 'background-color');
  expect(found('#111')).toEqual(['p → #111111 (photo)']);
  expect(found('Tomato')).toEqual(['p → #ff6347 (photo)']);
  expect(changed(withPhoto('#111'), '<p', 'background-color', '#0a0b0c')).toEqual({ id: 'photo', value: '#0a0b0c' });
  const reason = '"#1118" is not a plain color.';
  expect(found('#1118')).toEqual([`p → #1118 (photo): ${reason}`]);
  expect(changed(withPhoto('#1118'), '<p', 'background-color', '#0a0b0c')).toBe(reason);
});

test('ends at custom properties that refer to each other', () => {
  const source = page(':root{--a:var(--b);--b:var(--a)}p{background:var(--a)}i{background:red}', '<p>x</p>');
  expect(sources(source, '<p', 'background-color')).toEqual([
    'i → #ff0000',
    'p → var(--a) (--b): "var(--a)" is not a plain color.',
  ]);
});

test('says why a color cannot be changed', () => {
  expect(sources(page('p{background:linear-gradient(red, blue)}', '<p>x</p>'), '<p', 'background-color')).toEqual([
    'p → linear-gradient(red, blue): "linear-gradient(red, blue)" is not a plain color.',
  ]);
  expect(changed(page('p{background:#0008}', '<p>x</p>'), '<p', 'background-color', '#0a0b0c')).toBe(
    '"#0008" is not a plain color.',
  );
  const source = page('p{background:red}', '<p>x</p>');
  expect(
    changePart(
      fileWith(source),
      requestAt(source, '<p'),
      { name: 'background-color', index: 0, value: '#00ff00' },
      '#0a0b0c',
    ),
  ).toEqual({ reason: 'The preview does not show the current text yet. Try again when it does.' });
});

test('changes the color of a drawing', () => {
  const source = page('', '<svg><path fill="red" d=""/></svg>');
  expect(sources(source, '<path', 'fill')).toEqual(['<path fill="red" d=""/> → #ff0000']);
  expect(changed(source, '<path', 'fill', '#0a0b0c')).toBe(source.replace('"red"', '"#0a0b0c"'));
});

test('changes an image to another file of the project', () => {
  const source = page('', '<img src="a.png" alt="">');
  expect(findParts(fileWith(source), requestAt(source, '<img'))[0]).toEqual({
    name: 'image',
    files: ['a.png', 'media/b c.jpg'],
    sources: [{ offset: source.indexOf('<img'), value: 'a.png' }],
  });
  expect(changed(source, '<img', 'image', 'media/b c.jpg')).toBe(source.replace('src="a.png"', 'src="media/b c.jpg"'));
  const bound = page('', '<img data-var-src="photo" src="x">');
  expect(changed(bound, '<img', 'image', 'media/b c.jpg')).toEqual({ id: 'photo', value: 'media/b c.jpg' });
});

/** The text after a part has become a variable, or the reason. */
function withVariable(source: string, tag: string, name: PartName, id?: string): string {
  const file = fileWith(source);
  const text = { offset: source.indexOf(tag), whole: 'Hello', run: { text: 'Hello', before: 0 }, keepsLines: false };
  const request = { ...requestAt(source, tag), ...(name === 'text' ? { text } : {}) };
  const value = findParts(file, request).find((one) => one.name === name)?.sources[0]?.value ?? '';
  const made = partVariable(file, request, { name, index: 0, value }, id);
  return 'reason' in made ? made.reason : applied(source, { changes: { [file.uri]: made.edits } });
}

test('turns a text, an image or a color into a variable', () => {
  const declared = (item: string) => (source: string) => source.replace(`"a.png"}]`, `"a.png"},${item}]`);
  const text = page('', '<h1 id="greeting">Hello</h1>');
  expect(withVariable(text, '<h1', 'text')).toBe(
    declared('{"id":"greeting","type":"string","label":"Greeting","default":"Hello"}')(text).replace(
      'id="greeting">',
      'id="greeting" data-var-text="greeting">',
    ),
  );
  expect(withVariable(text, '<h1', 'text', 'hi')).toContain('data-var-text="hi"');
  const image = page('', '<img src="a.png">');
  expect(withVariable(image, '<img', 'image')).toContain('<img src="a.png" data-var-src="picture">');
  const color = page('p{background:red}', '<p>x</p>');
  expect(withVariable(color, '<p', 'background-color', 'back')).toBe(
    declared('{"id":"back","type":"color","label":"Back","default":"#ff0000"}')(color).replace(':red', ':var(--back)'),
  );
});

test('says why something cannot become a variable', () => {
  const source = page('body{background:red}', '<p>x</p>');
  expect(withVariable(source, '<p', 'background-color')).toBe(
    'This cannot become a variable. Texts without line breaks, images, and colors of elements inside the composition can.',
  );
  expect(withVariable(page('p{background:red}', '<p>x</p>'), '<p', 'background-color', 'ink')).toBe(
    '"ink" is already declared in index.html, line 1.',
  );
});
