// How much room a batch may need on the disk, guessed before anything is rendered.
import type { PlanDraft } from './plan.ts';

/** Bytes a pixel and frame for pictures in which a good part moves. Cards with text need a tenth of it. */
const bytesPerPixel: Record<string, number> = {
  h264: 0.012,
  h265: 0.008,
  av1: 0.008,
  vp9: 0.012,
  prores: 0.6,
  gif: 0.15,
  png: 1,
};

/** Where only the page tells how long it is. */
const usualSeconds = 10;

/** Bytes of one output. */
export function estimateBytes({ width, height, fps, duration, codec, format, quality }: PlanDraft): number {
  const frames = Math.ceil(((duration ?? usualSeconds) * fps.num) / fps.den);
  const factor = quality === 'high' ? 3 : 1;
  return Math.ceil(width * height * frames * (bytesPerPixel[codec ?? format] ?? 1) * factor);
}
