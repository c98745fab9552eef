// Conversions between times and frames, formats of times, and the frame of a loop.
import { type FrameRate, frameAtTime, frameTime } from '../../renderer-core/model/frameGrid.ts';

/** The frame at `seconds`, limited to the number of `frames`. */
export function frameAt(seconds: number, rate: FrameRate, frames: number): number {
  return Math.min(Math.max(0, frameAtTime(seconds, rate)), frames - 1);
}

/** `1:02.50`: minutes, seconds, hundredths. */
export function timeText(seconds: number): string {
  const hundredths = Math.round(seconds * 100);
  const minutes = Math.floor(hundredths / 6000);
  return `${minutes}:${((hundredths % 6000) / 100).toFixed(2).padStart(5, '0')}`;
}

/** Parses `1:02.5`, `62.5`, `75f` (a frame) and `50%`. Returns seconds, or undefined for other texts. */
export function readTime(written: string, rate: FrameRate, duration: number): number | undefined {
  const trimmed = written.trim();
  const frame = /^(\d+)\s*f$/i.exec(trimmed);
  if (frame) return frameTime(Number(frame[1]), rate);
  const share = /^(\d+(?:[.,]\d+)?)\s*%$/.exec(trimmed);
  if (share) return (Number(share[1]?.replace(',', '.')) / 100) * duration;
  const parts = /^(?:(?:(\d+):)?(\d+):)?(\d+(?:[.,]\d+)?)\s*s?$/.exec(trimmed);
  if (!parts) return undefined;
  const [, hours = '0', minutes = '0', seconds = '0'] = parts;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'));
}

/** The frames that are played: from `inFrame` to the frame before `outFrame`. */
export type Range = { inFrame: number; outFrame: number };

/** The frame after playing `elapsed` frames, starting at `from`. With `loop` it wraps around, otherwise it ends at the last frame. */
export function playedFrame(
  from: number,
  elapsed: number,
  { inFrame, outFrame }: Range,
  loop: boolean,
): { frame: number; ended: boolean } {
  const at = from + elapsed;
  if (at < outFrame) return { frame: at, ended: false };
  if (!loop) return { frame: outFrame - 1, ended: true };
  const length = Math.max(1, outFrame - inFrame);
  return { frame: inFrame + ((at - inFrame) % length), ended: false };
}

/** The distance of marks on a ruler of `width` pixels in seconds: a round number, at least 64 pixels apart. */
export function rulerStep(duration: number, width: number): number {
  const wanted = (duration * 64) / Math.max(1, width);
  for (const step of [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600]) if (step >= wanted) return step;
  return Math.ceil(wanted / 600) * 600;
}
