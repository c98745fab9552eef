// The nearest name.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearestName } from '../../../../renderer-core/model/text/suggest.ts';

function check(name: string, candidates: string[], expected: string | undefined) {
  expect(nearestName(name, candidates)).toBe(expected);
}

test('finds the intended name', () => {
  check('titel', ['title', 'tile', 'color'], 'title');
  check('colour', ['title', 'color'], 'color');
  check('Title', ['title'], 'title');
  check('subtitel2', ['subtitle'], 'subtitle');
  check('bgColor', ['bg-color', 'fgColor'], 'bg-color');
});

test('suggests nothing if no name is similar', () => {
  check('price', ['title', 'color'], undefined);
  check('a', ['b'], undefined);
  check('title', ['title'], undefined);
  check('x', [], undefined);
  check('y'.repeat(1000), ['y'.repeat(999)], undefined);
});

test('compares a limited number of letters of long names, and all letters of short ones', () => {
  const alike = (count: number, length: number) =>
    Array.from({ length: count }, (_, at) => `${'abcd'.repeat(length / 4)}${at}`);
  const wanted = 'dcba'.repeat(12);
  expect(nearestName(`${wanted}x`, [...alike(10, 48), wanted])).toBe(wanted);
  expect(nearestName(`${wanted}x`, [...alike(100, 48), wanted])).toBeUndefined();
  expect(nearestName('titelabcd', [...alike(1_000, 8), 'titleabcd'])).toBe('titleabcd');
});

test('counts insertions, deletions, changes and swaps, symmetrically', () => {
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

test('stops computing a distance at the limit', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), fc.nat(8), (a, b, enough) => {
      const exact = editDistance(a, b);
      const found = editDistance(a, b, enough);
      expect(exact < enough ? found : found >= enough).toBe(exact < enough ? exact : true);
    }),
  );
});

test('finds the same with and without shortcuts', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcdeABé1-'), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 30 }), (name, candidates) => {
      const wanted = name.toLowerCase();
      const distances = candidates
        .filter((candidate) => candidate !== name)
        .map((candidate) => ({ candidate, distance: editDistance(wanted, candidate.toLowerCase()) }))
        .filter(
          ({ candidate, distance }) =>
            distance <= Math.max(1, Math.floor(name.length / 3)) && distance < Math.max(name.length, candidate.length),
        );
      const least = Math.min(...distances.map(({ distance }) => distance));
      expect(nearestName(name, candidates)).toBe(distances.find(({ distance }) => distance === least)?.candidate);
    }),
    { numRuns: 500 },
  );
});
