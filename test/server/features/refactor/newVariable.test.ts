// Add variable from selection: the marked value becomes a variable with that default.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseComposition } from '../../../../renderer-core/model/composition.ts';
import { findings, offered, refactored } from '../../../support/editor/refactor.ts';

const title = /^Add variable/;
const root = 'data-composition-id="main" data-width="9" data-height="9" data-duration="9"';
const page = (body: string, declarations?: string, css = '') =>
  `<html${declarations === undefined ? '' : ` data-composition-variables='${declarations}'`}>${css && `<style>${css}</style>`}<body><div ${root}>${body}</div></body></html>`;
const declared = (id: string, type: string, label: string, value: unknown, more = {}) =>
  JSON.stringify([{ id, type, label, default: value, ...more }]);

test.each<[string, string, string]>([
  [
    'the text of an element',
    page('<h1>«Hello»</h1>'),
    page('<h1 data-var-text="title">Hello</h1>', declared('title', 'string', 'Title', 'Hello')),
  ],
  [
    'the text at the cursor',
    page('<h1>He«»llo</h1>'),
    page('<h1 data-var-text="title">Hello</h1>', declared('title', 'string', 'Title', 'Hello')),
  ],
  [
    'a part of a text',
    page('<p>Only «today» in Rome</p>'),
    page('<p>Only <span data-var-text="text">today</span> in Rome</p>', declared('text', 'string', 'Text', 'today')),
  ],
  [
    'text, with a name after the ID, otherwise the class',
    page('<p class="x"><b id="big-name" class="y">«Ada»</b></p>'),
    page(
      '<p class="x"><b id="big-name" class="y" data-var-text="bigName">Ada</b></p>',
      declared('bigName', 'string', 'Big name', 'Ada'),
    ),
  ],
  [
    'a number',
    page('<b class="price">«149»</b>'),
    page('<b class="price" data-var-text="price">149</b>', declared('price', 'number', 'Price', 149)),
  ],
  [
    'digits that do not form a plain number',
    page('<b>«007»</b>'),
    page('<b data-var-text="text">007</b>', declared('text', 'string', 'Text', '007')),
  ],
  [
    'text on separate lines, trimmed in a block element',
    page('<h1>\n  «Hello\n  you»\n</h1>'),
    page('<h1 data-var-text="title">\n  Hello\n  you\n</h1>', declared('title', 'string', 'Title', 'Hello you')),
  ],
  [
    'text of an inline element with visible edges',
    page('<i>«Hello» </i>you'),
    page('<i><span data-var-text="text">Hello</span> </i>you', declared('text', 'string', 'Text', 'Hello')),
  ],
  [
    'a source',
    page('<img src="«a.png»">'),
    page('<img src="a.png" data-var-src="picture">', declared('picture', 'string', 'Picture', 'a.png')),
  ],
  [
    'a color in a style attribute',
    page('<p style="color: «#f50»; top: 0">x</p>'),
    page('<p style="color: var(--textColor); top: 0">x</p>', declared('textColor', 'color', 'Text color', '#ff5500')),
  ],
  [
    'a size in a style attribute',
    page('<p style="font-size: 4«»8px">x</p>'),
    page(
      '<p style="font-size: calc(var(--fontSize) * 1px)">x</p>',
      declared('fontSize', 'number', 'Font size', 48, { unit: 'px' }),
    ),
  ],
  [
    'a color in a style sheet',
    page('<p>x</p>', undefined, 'p { background: url-like; background: linear-gradient(«red», blue) }'),
    page(
      '<p>x</p>',
      declared('background', 'color', 'Background', '#ff0000'),
      'p { background: url-like; background: linear-gradient(var(--background), blue) }',
    ),
  ],
  [
    'a color of a drawing',
    page('<svg><path fill="«#123456»"/></svg>'),
    page('<svg><path fill="var(--fillColor)"/></svg>', declared('fillColor', 'color', 'Fill color', '#123456')),
  ],
  [
    'text, with an unused ID next to existing declarations',
    page('<h1>«Hi»</h1>', '[{"id":"title","type":"string","label":"T","default":""}]'),
    page(
      '<h1 data-var-text="title2">Hi</h1>',
      '[{"id":"title","type":"string","label":"T","default":""},{"id":"title2","type":"string","label":"Title2","default":"Hi"}]',
    ),
  ],
  [
    'text in a fragment, with the declaration on its root',
    `<div ${root}>«Hi»</div>`,
    `<div ${root} data-composition-variables='${declared('text', 'string', 'Text', 'Hi')}' data-var-text="text">Hi</div>`,
  ],
])('replaces %s', (_, source, expected) => {
  expect(refactored(source, title)).toBe(expected);
});

test.each([
  ['text that is already bound to a variable', page('<h1 data-var-text="title">«Hi»</h1>', '[]')],
  ['a part of the markup', page('<h1>«<b>Hi</b>»</h1>')],
  ['a script', page('<script>«hi»</script>')],
  ['text outside the composition', `<html><body><h1>«Hi»</h1>${page('')}</body></html>`],
  ['a color where variables do not apply', page('', undefined, 'body { background: «#fff» }')],
  ['a word that is not a color', page('<p style="display: «block»">x</p>')],
  ['a file with invalid declarations', page('<h1>«Hi»</h1>', '[{')],
  ['an inline composition', page('<div data-composition-id="b"><p>«Hi»</p></div>')],
])('offers nothing for %s', (_, source) => {
  expect(offered(source).filter((one) => title.test(one.title))).toEqual([]);
});

test('opens the rename box at the new ID', () => {
  const source = page('<h1>«Hi»</h1>', '[\n {"id":"a","type":"string","label":"A","default":""}]');
  const [action] = offered(source).filter((one) => title.test(one.title));
  const { position } = action?.command?.arguments?.[0] ?? {};
  const line = refactored(source, title).split('\n')[position.line] ?? '';
  expect(line.slice(position.character).startsWith('title')).toBe(true);
});

const odd = fc.string({
  unit: fc.constantFrom(
    'a',
    'B',
    '"',
    "'",
    '&amp;',
    '&quot;',
    '&lt;',
    '\\',
    '{',
    '}',
    '$',
    'é',
    '😀',
    '7',
    ' ',
    ',',
    '\n',
  ),
  maxLength: 12,
});

test('keeps the shown text as the default and causes no new findings, for any text', () => {
  fc.assert(
    fc.property(odd, fc.constantFrom('"', "'"), (text, quote) => {
      const source = `<html data-composition-variables=${quote}[]${quote}><div ${root}><p>«${text}»</p></div></html>`;
      const before = findings(source.replace(/[«»]/g, ''));
      if (!offered(source).some((one) => title.test(one.title))) {
        expect(text.trim()).toBe('');
        return;
      }
      const after = refactored(source, title);
      const { declarations, bindings } = parseComposition(after);
      const shown = text
        .trim()
        .replace(/ *\n[ \n]*/g, ' ')
        .replaceAll('&quot;', '"')
        .replaceAll('&lt;', '<')
        .replaceAll('&amp;', '&');
      expect(bindings.map(({ id }) => id.text)).toEqual(declarations.map(({ id }) => id));
      expect(declarations.map((one) => String(one.default))).toEqual([shown]);
      expect(findings(after)).toEqual(before);
    }),
  );
});
