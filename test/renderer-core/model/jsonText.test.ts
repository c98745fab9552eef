// JSON inside an attribute: values, spans, and what is said when it is broken.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAttributeText } from '../../renderer-core/model/attributeText.ts';
import { mappedText, parseHtml } from '../../renderer-core/model/html.ts';
import { jsonAt, jsonMember, jsonValue, maxJsonDepth, readJson } from '../../renderer-core/model/jsonText.ts';
import { marked } from '../support/markup.ts';

function read(markup: string) {
  const [element] = parseHtml(markup).elements;
  const value = element && mappedText(markup, element, 'a');
  if (!value) throw new Error('no attribute a');
  return readJson(value);
}

/** The marked range is the span of the node at `path`. */
function checkNode(markup: string, path: (string | number)[], value: unknown) {
  const { text, spans } = marked(markup);
  const { root, problem } = read(text);
  const node = root && jsonAt(root, path);
  expect(problem).toBeUndefined();
  expect(node && jsonValue(node)).toEqual(value);
  expect(node?.span).toEqual(spans[0]);
}

/** The marked range is the span of the problem. */
function checkProblem(markup: string, message: string) {
  const { text, spans } = marked(markup);
  expect(read(text).problem).toEqual({ message, span: spans[0] });
}

test('nodes have the span of their text in the file', () => {
  checkNode(`<p a='{"x": «[1, true]»}'>`, ['x'], [1, true]);
  checkNode(`<p a='{"x": [1, «true»]}'>`, ['x', 1], true);
  checkNode('<p a="{&quot;x&quot;: «&quot;a&amp;b&quot;»}">', ['x'], 'a&b');
  checkNode('<p a=«[1,null]»>', [], [1, null]);
  checkNode(`<p a='«{"a":1,"a":2,"__proto__":3}»'>`, [], JSON.parse('{"a":2,"__proto__":3}'));
});

test('of equal keys the last counts', () => {
  const { root } = read(`<p a='{"a":1,"a":2}'>`);
  expect(root && jsonMember(root, 'a')?.value).toMatchObject({ value: 2 });
});

test('problems say what is wrong, where, and the way out', () => {
  checkProblem(`<p a='{«'a'»: 1}'>`.replaceAll("'a'", '&#39;a&#39;'), 'JSON strings and keys stand in double quotes');
  checkProblem(`<p a='{"a": 1,«}»'>`, 'Nothing follows this comma; remove it before }');
  checkProblem(`<p a='[1,«]»'>`, 'Nothing follows this comma; remove it before ]');
  checkProblem(`<p a='{«id»: 1}'>`, 'A key in double quotes is expected here, not id');
  checkProblem(`<p a='{"id": «undefined»}'>`, 'A JSON value is expected here, not undefined');
  checkProblem(`<p a='{"a" «1»}'>`, 'A colon is missing behind the key');
  checkProblem(`<p a='{"a":1 «"b"»:2}'>`, 'A comma is missing in front of this');
  checkProblem(`<p a='[1] «2»'>`, 'The JSON value is complete before this; nothing may follow it');
  checkProblem(`<p a='[«"\\x"»]'>`, 'This escape is not allowed in a JSON string; a backslash itself is written \\\\');
  checkProblem(`<p a='«»'>`, 'The value is empty; JSON is expected');
});

test('JSON cut off by the quote of its own attribute gets the cure', () => {
  checkProblem(
    '<p a="[{«»"id":"title"}]">',
    'The JSON ends too early; put the attribute in single quotes, or write each " in it as &quot;',
  );
  checkProblem(`<p a='{"t": «"It»'s"}'>`, 'The JSON ends too early; write an apostrophe in it as &#39;');
  checkProblem(`<p a='{"t": 1«»'>`, 'The JSON ends too early');
  checkProblem('<p a={"t":«» 1}>', 'The JSON ends too early; put the attribute in single quotes');
});

test('a broken text still gives what could be read, for completion inside it', () => {
  const { root, problem } = read(`<p a='[{"id":"title","type":}]'>`);
  expect(problem).toBeDefined();
  expect(root && jsonAt(root, [0, 'id'])).toMatchObject({ value: 'title' });
});

test('hostile nesting is refused instead of exhausting the stack', () => {
  const deep = (levels: number) => read(`<p a='${'['.repeat(levels)}${']'.repeat(levels)}'>`).problem?.message;
  expect(deep(maxJsonDepth)).toBeUndefined();
  expect(deep(maxJsonDepth + 1)).toBe(`The JSON is nested more than ${maxJsonDepth} levels deep`);
  expect(deep(200_000)).toBeDefined();
  // Brackets inside a string nest nothing, and neither do neighbours.
  expect(read(`<p a='[${'[],{},'.repeat(300)}1]'>`).problem).toBeUndefined();
  expect(read(`<p a='"\\"${'['.repeat(300)}"'>`).problem).toBeUndefined();
  expect(read(`<p a='/* " */${'['.repeat(100_000)}'>`).problem).toBeDefined();
  expect(read(`<p a='"\n"${'['.repeat(100_000)}'>`).problem).toBeDefined();
  expect(read(`<p a='${'"\\'.repeat(50_000)}${'['.repeat(50_000)}'>`).problem).toBeDefined();
});

const jsonish = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc
    .array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '"a"',
        '1',
        '-',
        '01',
        '1e5',
        '1e999',
        '.5',
        'true',
        'null',
        ' ',
        '\n',
        '\t',
        '\\',
        '\\u00',
        '\u00a0',
        '//',
        '/*',
        '__proto__',
        'x',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

test('accepts and yields exactly what JSON.parse does', () => {
  fc.assert(
    fc.property(jsonish, (text) => {
      const { root, problem } = readJson(readAttributeText(text, { start: 0, end: text.length }, "'"));
      // Character references are decoded first, as in the browser.
      fc.pre(!text.includes('&'));
      let expected: unknown;
      try {
        expected = JSON.parse(text);
      } catch {
        expect(problem).toBeDefined();
        return;
      }
      expect(problem).toBeUndefined();
      expect(root && JSON.stringify(jsonValue(root))).toBe(JSON.stringify(expected));
    }),
    { numRuns: 2000 },
  );
});
