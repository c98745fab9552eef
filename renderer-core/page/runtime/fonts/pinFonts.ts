// Makes the fonts of a page independent of the machine: generic families become named ones, for which the page has fonts.
import type { Player } from '../control.ts';
import { loadedFaces } from '../page.ts';
import { pinCanvasFonts } from './canvasFonts.ts';
import { pinStyles } from './pinStyles.ts';
import { watchText } from './textFonts.ts';

/** Call before all other scripts of the page. */
export function pinFonts(window: Window & typeof globalThis): Pick<Player, 'usedFaces' | 'missingCharacters'> {
  const faces = new Set<FontFace>();
  Object.defineProperty(window, Symbol.for(loadedFaces), { value: faces });
  pinStyles(window);
  const { noteDrawn, usedFaces, missingCharacters } = watchText(window, faces);
  pinCanvasFonts(window, noteDrawn);
  return { usedFaces, missingCharacters };
}
