// References to variables inside values.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseReference, resolveReferences } from '../../../renderer-core/model/references.ts';

function check(text: string, expected: string | undefined) {
  expect(parseReference(text)).toBe(expected);
}

test('accepts only a text that is exactly one reference', () => {
  check('$look', 'look');
  check(`\${look}`, 'look');
  check('  $accent-color ', 'accent-color');
  check(`\${ my look }`, 'my look');
  check('a $look', undefined);
  check('$look!', undefined);
  check('$', undefined);
  check(`\${}`, undefined);
  check(`\${a}\${b}`, undefined);
  check('$5', undefined);
  check('look', undefined);
  check(`\${${' '.repeat(100_000)}`, undefined);
});

test('resolves through objects and arrays; values keep their type; the rest stays literal and is listed', () => {
  const given = { preset: '$look', adjust: { exposure: `\${ev}`, list: ['$on', '$missing', 'plain $look'] } };
  expect(resolveReferences(given, { look: 'warm', ev: 0.5, on: true })).toEqual({
    value: { preset: 'warm', adjust: { exposure: 0.5, list: [true, '$missing', 'plain $look'] } },
    unresolved: [{ name: 'missing', path: ['adjust', 'list', 1] }],
  });
  expect(given.preset).toBe('$look');
});

test('ignores names of object properties and does not resolve twice', () => {
  expect(resolveReferences('$toString', {}).unresolved).toEqual([{ name: 'toString', path: [] }]);
  expect(resolveReferences('$a', { a: '$b', b: 1 }).value).toBe('$b');
});

test('returns values without references unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      fc.pre(!JSON.stringify(value).includes('$'));
      expect(resolveReferences(value, { a: 1 })).toEqual({ value, unresolved: [] });
    }),
  );
  const loop: Record<string, unknown> = {};
  loop.self = loop;
  expect(() => resolveReferences(loop, {})).not.toThrow();
});
