// Characters that no font has. The last family of every list of families is a font that shows every character as a box.

export const missingFamily = 'Framework Missing';

/** The width of the box, as a part of the font size. Fonts with 1000 or 2048 units cannot have a character of this width. */
export const missingGlyphWidth = 10993 / 16384;

/** Characters that no font shows, and those of ASCII, which every list has. */
const withoutGlyph = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Zs}\p{Zl}\p{Zp}\u0021-\u007e]/u;

/** Whether a character is a box if no font has it. */
export const needsGlyph = (character: string): boolean => !withoutGlyph.test(character);

/** Elements whose text is not shown, and `textarea` elements with `hidden`. */
export const hiddenTags: readonly string[] = ['script', 'style', 'template', 'noscript', 'title', 'head'];

/** Such as `U+1E900 (𞤀)`. */
export function characterName(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `U+${code} (${character})`;
}
