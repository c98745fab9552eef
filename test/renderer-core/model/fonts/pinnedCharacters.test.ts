// The characters that the pinned fonts have.
import { expect, test } from 'vitest';
import { decodeBoundaries, isPinned } from '../../../../renderer-core/model/fonts/pinnedCharacters.ts';

test.each([
  ['Latin', 'aäçğłøß€'],
  ['Vietnamese, also composed of parts', 'ếựỵ\u0301'],
  ['Greek', 'αΩώἀ'],
  ['Cyrillic', 'жЩїѓ'],
  ['Hebrew', 'אבת'],
  ['Arabic', 'ابگ'],
  ['Devanagari', 'अआ।'],
  ['Thai', 'กขๆ'],
  ['Simplified Chinese', '你好们说'],
  ['Traditional Chinese', '們說龜'],
  ['Japanese', 'あア新'],
  ['Korean', '가힣'],
  ['symbols', '→✓★♞☎'],
  ['mathematics', '∑√∞𝔸'],
  ['emoji', '😀🏽🇩©'],
])('contains characters of %s', (_, characters) => {
  expect([...characters].filter((character) => !isPinned(character))).toEqual([]);
});

test.each([
  ['Adlam', '𞤀'],
  ['Bengali', 'ক'],
  ['Tamil', 'த'],
  ['Ethiopic', 'ሰ'],
  ['Armenian', 'ա'],
  ['cuneiform', '𒀀'],
  ['private use', '\uf101'],
  ['not assigned', '\u{e1000}'],
])('no font has %s', (_, character) => {
  expect(isPinned(character)).toBe(false);
});

test('decodes distances in base 26, whose last digit is a capital', () => {
  expect([...decodeBoundaries('BZbAbaaA')]).toEqual([1, 26, 52, 52 + 26 ** 3]);
});
