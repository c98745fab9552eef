// The characters of the emoji font that are in color without a variation selector.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { familyRanges } from '../../../renderer-core/model/fonts/familyRanges.ts';
import { readRanges } from '../../../renderer-core/model/fonts/unicodeRanges.ts';
import { fontCharacters } from '../../../scripts/fontCharacters.ts';

test('are those of Emoji_Presentation, which ASCII and characters such as the telephone are not', () => {
  const file = 'node_modules/@fontsource/noto-color-emoji/files/noto-color-emoji-emoji-400-normal.woff2';
  const font = fontCharacters(readFileSync(fileURLToPath(new URL(`../../../${file}`, import.meta.url))));
  const ranges = readRanges(familyRanges('Framework Emoji') ?? '') ?? [];
  const isUsed = (code: number) => ranges.some(([first, last]) => code >= first && code <= last);
  const joins = new Set([0x200d, 0xfe0f]);
  const wrong = font.filter((code) => {
    const isTag = code >= 0xe0020 && code <= 0xe007f;
    const isColored = /\p{Emoji_Presentation}/u.test(String.fromCodePoint(code));
    // New versions of Unicode add emoji to the last range.
    const isNew = code >= 0x1f6f4 && /\p{Cn}/u.test(String.fromCodePoint(code));
    return !isTag && !isNew && !joins.has(code) && isUsed(code) !== isColored;
  });
  expect(wrong.map((code) => code.toString(16))).toEqual([]);
});
