// Makes the fonts of a page independent of the machine: generic families become named ones, for which the page has fonts.
import { loadedFaces } from '../../runtime/page.ts';
import type { PagePart } from '../../runtime/pagePart.ts';
import { pinCanvasFonts } from './canvasFonts.ts';
import { pinStyles } from './pinStyles.ts';
import { type TextFonts, watchText } from './textFonts.ts';

/** Not in pages with the fonts of the machine. */
export type PinnedFonts = Pick<TextFonts, 'usedFaces' | 'missingCharacters'> | undefined;

export const pinnedFontsInPage: PagePart = {
  install: ({ window, config }) => ({ handle: config.pinsFonts ? pinFonts(window) : undefined }),
};

export function pinFonts(window: Window & typeof globalThis): PinnedFonts {
  const faces = new Set<FontFace>();
  Object.defineProperty(window, Symbol.for(loadedFaces), { value: faces });
  pinStyles(window);
  const { noteDrawn, usedFaces, missingCharacters } = watchText(window, faces);
  pinCanvasFonts(window, noteDrawn);
  return { usedFaces, missingCharacters };
}
