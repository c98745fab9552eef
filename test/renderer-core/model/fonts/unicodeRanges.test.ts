import { expect, test } from 'vitest';
import { hasCharacter, readRanges } from '../../../../renderer-core/model/fonts/unicodeRanges.ts';

test.each([
  ['U+41-5A,U+61', 0x42, true],
  ['U+41-5A, U+61', 0x61, true],
  ['U+41-5A,U+61', 0x62, false],
  ['u+4e2d', 0x4e2d, true],
  ['U+4??', 0x4ff, true],
  ['U+4??', 0x500, false],
  ['U+1E900-1E95F', 0x1e900, true],
])('%s has the character %i: %s', (ranges, character, expected) => {
  expect(hasCharacter(ranges, [character])).toBe(expected);
});

test.each(['', 'latin', 'U+41,', 'U+1234567'])('%j has all characters, because browsers ignore it', (ranges) => {
  expect(readRanges(ranges)).toBeUndefined();
  expect(hasCharacter(ranges, [0x1e900])).toBe(true);
  expect(hasCharacter(ranges, [])).toBe(false);
});
