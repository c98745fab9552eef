// Draws a plain page in horizontal bands, each small enough for memory that the browser already has.
//
// drawElementImage first draws into a separate layer. A layer of more than about a megabyte is fresh memory from the
// system for every frame: 900 pages of memory at 720p, which took 3 of 6 ms a frame
// (docs/internals/benchmarks.md, "Batches").

import type { CapturePart } from '../capturePart.ts';

/** Size of a band: the browser already has memory for a layer of this size. */
const bandBytes = 900_000;

/** Checking the styles of every element takes time; larger pages are drawn at once. */
const maxElements = 200;

/**
 * Whether the composition in `window` costs no more to draw in bands than at once. Blurs are computed again for each
 * band, with the area around it. Call once before the first frame: a frame must not depend on how earlier ones were drawn.
 */
function canDrawInBands(window: Window & typeof globalThis): boolean {
  const elements = window.document.getElementsByTagName('*');
  if (elements.length > maxElements) return false;
  return [...elements].every((element) => {
    const { boxShadow, textShadow, filter, backdropFilter } = window.getComputedStyle(element);
    return [boxShadow, textShadow, filter, backdropFilter].every((value) => value === 'none' || value === '');
  });
}

export const bandingInCapture: CapturePart = {
  begin: ({ window }) =>
    canDrawInBands(window) ? { rowsAtOnce: (width) => Math.max(1, Math.floor(bandBytes / (4 * width))) } : undefined,
};
