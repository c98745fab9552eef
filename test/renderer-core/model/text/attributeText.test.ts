// Decoded attribute values and the way back to the file.
import fc from 'fast-check';
import { parse } from 'parse5';
import { expect, test } from 'vitest';
import {
  readAttributeText,
  toDecodedOffset,
  toFileOffset,
  toFileSpan,
} from '../../../../renderer-core/model/text/attributeText.ts';
import { mappedText, parseHtml } from '../../../../renderer-core/model/text/html.ts';

/** `word` is searched in the decoded value of attribute `a`; `expected` is what it covers in the file. */
function check(markup: string, decoded: string, word: string, expected: string) {
  const [element] = parseHtml(markup).elements;
  const value = element && mappedText(markup, element, 'a');
  expect(value?.text).toBe(decoded);
  if (!value) return;
  const at = decoded.indexOf(word);
  const { start, end } = toFileSpan(value, at, at + word.length);
  expect(markup.slice(start, end)).toBe(expected);
}

test('reads quoted, single-quoted, unquoted and empty values', () => {
  check('<p a="one two">', 'one two', 'two', 'two');
  check("<p a='one two'>", 'one two', 'two', 'two');
  check('<p a=one b=2>', 'one', 'ne', 'ne');
  check('<p a = "x">', 'x', 'x', 'x');
  check('<p a>', '', '', '');
  check('<p a="">', '', '', '');
});

test('maps character references to their whole text in the file', () => {
  check('<p a="{&quot;id&quot;:1}">', '{"id":1}', '"id"', '&quot;id&quot;');
  check('<p a="a&amp;b">', 'a&b', 'b', 'b');
  check("<p a='it&#39;s'>", "it's", "'", '&#39;');
  check('<p a="&#x1F600;!">', '😀!', '!', '!');
  check('<p a="a&b&copy=1&ampx">', 'a&b&copy=1&ampx', '=1', '=1');
  check('<p a="x\r\ny">', 'x\ny', 'y', 'y');
});

test('maps offsets inside a reference to its start', () => {
  const value = readAttributeText('a&#x1F600;b', { start: 0, end: 11 }, '"');
  expect(value.text).toBe('a😀b');
  expect([0, 1, 2, 3, 4].map((decoded) => toFileOffset(value, decoded))).toEqual([0, 1, 1, 10, 11]);
  expect([0, 1, 5, 9, 10, 11].map((file) => toDecodedOffset(value, file))).toEqual([0, 1, 1, 1, 3, 4]);
});

const piece = fc.constantFrom(
  'a',
  'é',
  '😀',
  ' ',
  '&',
  '&amp;',
  '&quot',
  '&quot;',
  '&#39;',
  '&#x41;',
  '&#0;',
  '&notin;',
  '&noti',
  '&NotEqualTilde;',
  '\r',
  '\n',
  '\r\n',
  '\0',
  ';',
  '=',
  'amp;',
);
const rawValue = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

test('decodes values like the HTML parser', () => {
  fc.assert(
    fc.property(rawValue, (raw) => {
      const document = parse(`<!doctype html><html a="${raw}">`);
      const html = document.childNodes.find((node) => node.nodeName === 'html');
      const expected = html && 'attrs' in html ? html.attrs[0]?.value : undefined;
      expect(readAttributeText(raw, { start: 0, end: raw.length }, '"').text).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

test('maps offsets to the file and back, monotonically', () => {
  fc.assert(
    fc.property(rawValue, (raw) => {
      const value = readAttributeText(`<<${raw}>>`, { start: 2, end: 2 + raw.length }, '"');
      let last = 2;
      for (let decoded = 0; decoded <= value.text.length; decoded++) {
        const file = toFileOffset(value, decoded);
        expect(file).toBeGreaterThanOrEqual(last);
        expect(file).toBeLessThanOrEqual(2 + raw.length);
        last = file;
        const back = toDecodedOffset(value, file);
        expect(toFileOffset(value, back)).toBe(file);
        if (value.steps.length === 2) expect(back).toBe(decoded);
      }
      expect(last).toBe(2 + raw.length);
      // Each stretch between two steps reads the same in the file as decoded.
      for (let decoded = 0; decoded < value.text.length; decoded++) {
        const { start, end } = toFileSpan(value, decoded, decoded + 1);
        if (end - start === 1 && raw[start - 2] !== '\r' && raw[start - 2] !== '\0')
          expect(raw[start - 2]).toBe(value.text[decoded]);
      }
    }),
  );
});
