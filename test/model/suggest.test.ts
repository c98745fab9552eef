// The nearest name.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearestName } from '../../renderer-core/model/suggest.ts';

function check(name: string, candidates: string[], expected: string | undefined) {
  expect(nearestName(name, candidates)).toBe(expected);
}

test('finds what the writer meant', () => {
  check('titel', ['title', 'tile', 'color'], 'title');
  check('colour', ['title', 'color'], 'color');
  check('Title', ['title'], 'title');
  check('subtitel2', ['subtitle'], 'subtitle');
  check('bgColor', ['bg-color', 'fgColor'], 'bg-color');
});

test('says nothing when nothing is near', () => {
  check('price', ['title', 'color'], undefined);
  check('a', ['b'], undefined);
  check('title', ['title'], undefined);
  check('x', [], undefined);
  check('y'.repeat(1000), ['y'.repeat(999)], undefined);
});

test('the distance counts insertions, deletions, changes and swaps, and is symmetric', () => {
  expect(editDistance('', 'abc')).toBe(3);
  expect(editDistance('ab', 'ba')).toBe(1);
  expect(editDistance('kitten', 'sitting')).toBe(3);
  fc.assert(
    fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b) === 0).toBe(a === b);
    }),
  );
});
