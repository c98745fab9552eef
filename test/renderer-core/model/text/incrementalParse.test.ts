// A tree that is carried over to the next text is the tree that parsing that text gives.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type HtmlTree, parseHtml } from '../../../../renderer-core/model/text/html.ts';
import { parseIncrementally } from '../../../../renderer-core/model/text/incrementalParse.ts';

/** Without the links upwards, which lead in circles. */
function flat({ elements, children, isDocument, text }: HtmlTree) {
  const place = new Map(elements.map((element, index) => [element, index]));
  const list = elements.map(({ parent, template, children: inner, attributes, ...rest }) => ({
    ...rest,
    attributes: [...attributes],
    parent: parent && place.get(parent),
    template: template && place.get(template),
    children: inner.map((child) => place.get(child)),
  }));
  return { list, children: children.map((child) => place.get(child)), isDocument, text };
}

/** The text with what stands between the marks replaced, and whether its tree was carried over. */
function edited(marked: string, replacement: string): boolean {
  const [head = '', old = '', tail = ''] = marked.split(/[«»]/);
  const before = parseHtml(head + old + tail);
  const after = head + replacement + tail;
  const carried = parseIncrementally(before, after);
  if (carried) expect(flat(carried)).toEqual(flat(parseHtml(after)));
  return carried !== undefined;
}

test.each([
  ['the middle of a value', '<div data-start="a«b»c" id="x"><p>y</p></div>', 'longer'],
  ['an empty value', '<div data-start="«»"><p>y</p></div>', '1'],
  ['a value that becomes empty', `<div data-start='«1»' id="x"><p>y</p></div>`, ''],
  ['a reference that is broken up', '<div title="a&am«»p;b"><p>y</p></div>', 'x'],
  ['a script', '<script>let a = «1»;</script><p id="x">y</p>', 'b < c'],
  ['a style', '<style>p { color: «red» }</style><p id="x">y</p>', 'blue'],
  ['a text', '<div><p>some «text»</p><p id="x">y</p></div>', 'words > others'],
  ['the end of a text', '<p>some text«»<div>y</div>', ' and more'],
  ['the end of the file', '<p>some text«»', ' and more'],
])('reuses the tree: %s', (_, marked, replacement) => {
  expect(edited(marked, replacement)).toBe(true);
});

test.each([
  ['a quote', '<div title="a«»b"><p>y</p></div>', '"'],
  ['a value without quotes', '<div title=a«»b><p>y</p></div>', 'c'],
  ['a value that the parser looks at', '<table><input type="«»hidden"></table>', 'x'],
  ['an element that is compared with others', '<b class="x«»">y', 'z'],
  ['the end of a script', '<script>let a = «1»;</script><p>y</p>', '</script>'],
  ['a comment in a script', '<script><!-- let a = «1»;</script><p>y</p>', '2'],
  ['a style in a drawing', '<svg><style>a«»</style></svg>', '<p>'],
  ['a tag', '<div><p>some «text»</p></div>', '<b>text</b>'],
  ['the name of a tag', '<di«»v>y</div>', 'x'],
  ['a text that begins', '<div>«»<p>y</p></div>', 'x'],
  ['a text that goes', '<table>«x»<tr></table>', ''],
  ['a comment', '<div><!-- > a«»b --></div>', '-->'],
  ['a title', '<title>ab«»</title>', 'c'],
])('parses again: %s', (_, marked, replacement) => {
  expect(edited(marked, replacement)).toBe(false);
});

const pieces = [
  ...['<div id="a" title=\'b\'>', '</div>', '<p>', '</p>', '<b class="x">', '</b>', '<br>', '<table>', '<tr>', '<td>'],
  ...['</table>', '<script>', '</script>', '<style>', '</style>', '<svg>', '</svg>', '<template>', '</template>'],
  ...['<select>', '<option value="1">', '</select>', '<!-- c -->', '<title>', '</title>', '<head>', '<body>', '<html>'],
  ...[' ', '\n', '\r\n', 'text', 'a b', '&amp;', '&#32;', '"', "'", '<', '>', '=', '/', '-', '\0', '&', '\uFEFF', 'x'],
  ...[
    '<!doctype html>',
    '<math>',
    '<annotation-xml encoding="text/html">',
    '</math>',
    '<input type="hidden">',
    '<pre>',
  ],
];
const markup = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(''));

test('produces the same tree as a full parse for any edit', () => {
  let carried = 0;
  fc.assert(
    fc.property(
      markup,
      fc.nat(),
      fc.nat(6),
      fc.constantFrom('', ' ', 'x', 'yz', '"', '<', '>', '&', '/', 'a b', '\n'),
      (text, at, length, typed) => {
        const start = at % (text.length + 1);
        const after = text.slice(0, start) + typed + text.slice(start + length);
        const tree = parseIncrementally(parseHtml(text), after);
        if (!tree) return;
        carried++;
        expect(flat(tree)).toEqual(flat(parseHtml(after)));
      },
    ),
    { numRuns: 20_000 },
  );
  expect(carried).toBeGreaterThan(500);
});
