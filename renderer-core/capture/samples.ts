// Which frames are compared with the browser's own screenshot before the fast path's result is kept.

/** One sample for so many frames, but at least three and at most five: they cost a quarter of a second of work each. */
const framesPerSample = 600;

/** Frames in the middle of equal parts of the render, in order. */
export function chooseSamples(
  totalFrames: number,
  count = Math.min(5, Math.max(3, Math.ceil(totalFrames / framesPerSample))),
): number[] {
  const middles = Array.from({ length: count }, (_, part) => Math.floor((totalFrames * (2 * part + 1)) / (2 * count)));
  return [...new Set(middles)];
}

/** Below these, in dB, the painted frame is not what the browser shows. Text alone differs by less. */
export const minPsnr = 40;
/** A small part that is missing hardly moves the whole picture's figure: its own tile's mean colours show it. */
export const minTilePsnr = 28;

export function agrees(comparison: { psnr: number; worstTile: number }): boolean {
  return comparison.psnr >= minPsnr && comparison.worstTile >= minTilePsnr;
}
