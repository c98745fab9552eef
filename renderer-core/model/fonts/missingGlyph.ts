// The last family of every list of families: a font that shows every character as a box.

export const missingFamily = 'Framework Missing';

/** The width of the box, as a part of the font size. Fonts with 1000 or 2048 units cannot have a character of this width. */
export const missingGlyphWidth = 10993 / 16384;
