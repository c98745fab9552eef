// Makes the fonts of a page independent of the machine: generic families become named ones, for which the page has fonts.
// Runs before all other scripts of the page.
import '../leaveNoElement.ts';
import type { Player } from '../control.ts';
import { loadedFaces } from '../page.ts';
import { pinCanvasFonts } from './canvasFonts.ts';
import { pinStyles } from './pinStyles.ts';
import { watchText } from './textFonts.ts';

const faces = new Set<FontFace>();
Object.defineProperty(window, Symbol.for(loadedFaces), { value: faces });
pinStyles(window);
const { noteDrawn, usedFaces, missingCharacters } = watchText(window, faces);
pinCanvasFonts(window, noteDrawn);
const player = (window as unknown as Record<symbol, Player | undefined>)[Symbol.for('framework.player')];
if (player) Object.assign(player, { usedFaces, missingCharacters });
