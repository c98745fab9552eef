// JSON inside an attribute: values, spans, and what is said when it is broken.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAttributeText } from '../../../../renderer-core/model/text/attributeText.ts';
import { mappedText, parseHtml } from '../../../../renderer-core/model/text/html.ts';
import {
  jsonAt,
  jsonMember,
  jsonValue,
  maxJsonDepth,
  readJson,
} from '../../../../renderer-core/model/text/jsonText.ts';
import { marked } from '../../../support/editor/markup.ts';

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

test('returns nodes with the span of their text in the file', () => {
  checkNode(`<p a='{"x": «[1, true]»}'>`, ['x'], [1, true]);
  checkNode(`<p a='{"x": [1, «true»]}'>`, ['x', 1], true);
  checkNode('<p a="{&quot;x&quot;: «&quot;a&amp;b&quot;»}">', ['x'], 'a&b');
  checkNode('<p a=«[1,null]»>', [], [1, null]);
  checkNode(`<p a='«{"a":1,"a":2,"__proto__":3}»'>`, [], JSON.parse('{"a":2,"__proto__":3}'));
});

test('uses the last of equal keys', () => {
  const { root } = read(`<p a='{"a":1,"a":2}'>`);
  expect(root && jsonMember(root, 'a')?.value).toMatchObject({ value: 2 });
});

test('reports what is expected and what was found', () => {
  checkProblem(`<p a='{«'a'»: 1}'>`.replaceAll("'a'", '&#39;a&#39;'), 'JSON strings and keys must be in double quotes');
  checkProblem(`<p a='{"a": 1,«}»'>`, 'Trailing comma; remove the comma before }');
  checkProblem(`<p a='[1,«]»'>`, 'Trailing comma; remove the comma before ]');
  checkProblem(`<p a='{«id»: 1}'>`, 'Expected a key in double quotes (got id)');
  checkProblem(`<p a='{"id": «undefined»}'>`, 'Expected a value for "id" (got undefined)');
  checkProblem(`<p a='{"a" «1»}'>`, 'Expected : after the key "a" (got 1)');
  checkProblem(`<p a='{"a":1 «"b"»:2}'>`, 'Expected , or } after the value of "a" (got "b")');
  checkProblem(`<p a='[1] «2»'>`, 'Expected nothing after the JSON value (got 2)');
  checkProblem(`<p a='[«"\\x"»]'>`, 'Invalid escape in a JSON string; write a backslash as \\\\');
  checkProblem(`<p a='«»'>`, 'The value must be JSON (got an empty value)');
  checkProblem(`<p a='«x»'>`, 'Expected a JSON value (got x)');
  checkProblem(`<p a='[1 «2»]'>`, 'Expected , or ] after a value (got 2)');
  checkProblem(`<p a='[{"a":[{}],"b":[1],«c»:1}]'>`, 'Expected a key in double quotes (got c)');
  checkProblem(
    `<p a='{"title": "Say "«hi»" now"}'>`,
    'Expected , or } after the value of "title" (got hi); write a " inside a string as \\"',
  );
});

test('names the attribute and advises on its quotes, but not for a file', () => {
  const message = (text: string, origin: Parameters<typeof readJson>[1]) =>
    readJson(readAttributeText(text, { start: 0, end: text.length }, "'"), origin).problem?.message;
  const name = 'data-variable-values';
  expect(message('{"a": 1 "b": 2}', { name })).toBe(`Expected , or } after the value of "a" in ${name} (got "b")`);
  expect(message('{"a": "b', { name })).toBe(
    `Unexpected end of the JSON in ${name}; write an apostrophe in it as &#39;`,
  );
  expect(message('{"a": "b', { isFile: true })).toBe('Unexpected end of the JSON');
  expect(message('[1,]', { name })).toBe(`Trailing comma in ${name}; remove the comma before ]`);
  expect(message(' ', { name })).toBe(`${name} must be JSON (got an empty value)`);
});

test('advises on quotes when the attribute ends inside the JSON', () => {
  checkProblem(
    '<p a="[{«»"id":"title"}]">',
    'Unexpected end of the JSON; put the attribute value in single quotes, or write each " in it as &quot;',
  );
  checkProblem(`<p a='{"t": «"It»'s"}'>`, 'Unexpected end of the JSON; write an apostrophe in it as &#39;');
  checkProblem(`<p a='{"t": 1«»'>`, 'Unexpected end of the JSON');
  checkProblem('<p a={"t":«» 1}>', 'Unexpected end of the JSON; put the attribute value in single quotes');
});

test('returns the readable part of invalid JSON, for completion', () => {
  const { root, problem } = read(`<p a='[{"id":"title","type":}]'>`);
  expect(problem).toBeDefined();
  expect(root && jsonAt(root, [0, 'id'])).toMatchObject({ value: 'title' });
});

test('rejects hostile nesting instead of exhausting the stack', () => {
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
