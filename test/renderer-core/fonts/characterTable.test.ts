// The characters of the pinned fonts, as their files have them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decodeBoundaries } from '../../../renderer-core/model/fonts/pinnedCharacters.ts';
import { encodeBoundaries, rangesSource } from '../../../scripts/characterTable.ts';
import { fontCharacters } from '../../../scripts/fontCharacters.ts';
import { repository } from '../../support/repositoryFiles.ts';

test('the table is up to date (update with: node --import tsx scripts/characterTable.ts)', async () => {
  expect(readFileSync(`${repository}renderer-core/model/fonts/pinnedRanges.ts`, 'utf8')).toBe(await rangesSource());
}, 60_000);

test('writes distances in base 26, whose last digit is a capital', () => {
  expect(encodeBoundaries([1, 26, 52, 52 + 26 ** 3])).toBe('BZbAbaaA');
});

test('reads back the boundaries that it writes', () => {
  const boundaries = [0, 1, 27, 53, 702, 703, 0x1e900, 0x10ffff];
  expect([...decodeBoundaries(encodeBoundaries(boundaries))]).toEqual(boundaries);
});

test('reads the characters of a font', () => {
  const file = `${repository}node_modules/@fontsource/tinos/files/tinos-hebrew-400-normal.woff2`;
  const characters = fontCharacters(readFileSync(file));
  expect(characters).toContain('א'.codePointAt(0));
  expect(characters).not.toContain('Ж'.codePointAt(0));
});

test('rejects a file that is not a WOFF2 font', () => {
  expect(() => fontCharacters(Buffer.from('OTTO'))).toThrow('not a WOFF2 font');
});
