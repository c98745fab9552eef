// The borders of clips and videos on the grid of frames. Bundled into the page.

/** `num / den` frames per second, in lowest terms. */
export type FrameRate = { num: number; den: number };

/** Seconds. Rounding a start and a duration to milliseconds moves an end by up to 1 ms. */
const longestTolerance = 0.00125;

/** The time of frame `index` in seconds. */
export function frameTime(index: number, rate: FrameRate): number {
  return (index * rate.den) / rate.num;
}

/**
 * The part of a frame by which a time may be before a border and still count as behind it. So times that are written as n/fps
 * with any number of digits, and sums of times in milliseconds, are borders of frame n.
 */
const toleranceInFrames = (rate: FrameRate): number => Math.min(1 / 4, (longestTolerance * rate.num) / rate.den);

/** In seconds. */
export const borderTolerance = (rate: FrameRate): number => (toleranceInFrames(rate) * rate.den) / rate.num;

/** The number of frames before a border at `seconds`. That is the first frame of a clip that starts there. */
export function framesBefore(seconds: number, rate: FrameRate): number {
  return Math.max(0, Math.ceil((seconds * rate.num) / rate.den - toleranceInFrames(rate)));
}

/** The frame that is shown at `seconds`, if the video is long enough. */
export function frameAtTime(seconds: number, rate: FrameRate): number {
  return Math.floor((seconds * rate.num) / rate.den + toleranceInFrames(rate));
}

/** A border as the time of the frame at which it takes effect, if it is only slightly after it; otherwise unchanged. */
export function borderOnFrame(seconds: number, rate: FrameRate): number {
  return Math.min(seconds, frameTime(framesBefore(seconds, rate), rate));
}
