// The sample frames of a render: painted frames that must agree with the browser's own screenshots.
import type { RenderPlan } from '../plan/renderPlan.ts';

/** One sample for this many frames, from three to five in total: each costs a quarter of a second of work. */
const framesPerSample = 600;

/** The middle frames of `count` equal parts of the render, in order. */
export function chooseSamples(
  totalFrames: number,
  count = Math.min(5, Math.max(3, Math.ceil(totalFrames / framesPerSample))),
): number[] {
  const middles = Array.from({ length: count }, (_, part) => Math.floor((totalFrames * (2 * part + 1)) / (2 * count)));
  return [...new Set(middles)];
}

/** The sample frames of a whole render. */
export const planSamples = ({ frames, quality }: Pick<RenderPlan, 'frames' | 'quality'>): number[] =>
  chooseSamples(frames, quality === 'draft' ? 2 : undefined);

/** In dB. Frames whose text is only rasterized differently stay above this. */
export const minPsnr = 40;
/** In dB, for the mean colors of the worst tile: a small missing part hardly changes the PSNR of the whole frame. */
export const minTilePsnr = 28;

export function agrees(comparison: { psnr: number; worstTile: number }): boolean {
  return comparison.psnr >= minPsnr && comparison.worstTile >= minTilePsnr;
}
