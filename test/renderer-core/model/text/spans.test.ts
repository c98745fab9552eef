// Lines and columns of offsets.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexLines, lineAndColumn, positionAt, touches } from '../../../../renderer-core/model/text/spans.ts';

function check(text: string, expected: string[]) {
  const places = Array.from({ length: text.length + 1 }, (_, offset) => lineAndColumn(text, offset));
  expect(places.map(({ line, column }) => `${line}:${column}`)).toEqual(expected);
}

test('ends lines at \\n, \\r\\n and a single \\r', () => {
  check('ab\nc', ['1:1', '1:2', '1:3', '2:1', '2:2']);
  check('a\r\nb', ['1:1', '1:2', '1:3', '2:1', '2:2']);
  check('a\rb', ['1:1', '1:2', '2:1', '2:2']);
  check('', ['1:1']);
});

test('clamps an offset outside the text', () => {
  expect(lineAndColumn('ab\nc', 99)).toEqual({ line: 2, column: 2 });
  expect(lineAndColumn('ab\nc', -1)).toEqual({ line: 1, column: 1 });
});

test('treats the offset directly after a span as touching it', () => {
  expect([1, 2, 3, 4, 5].filter((offset) => touches({ start: 2, end: 4 }, offset))).toEqual([2, 3, 4]);
});

test('computes the same positions as counting line breaks', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'é') }), fc.nat(40), (text, offset) => {
      fc.pre(offset <= text.length && !(text[offset - 1] === '\r' && text[offset] === '\n'));
      const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
      expect(positionAt(indexLines(text), offset)).toEqual({
        line: lines.length,
        column: (lines.at(-1)?.length ?? 0) + 1,
      });
    }),
  );
});
