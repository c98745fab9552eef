// The part of a composition that is rendered: its first frame, and the frame after its last one.
import { UserError } from '../errors.ts';
import { type FrameRate, framesBefore, frameTime } from '../model/frameGrid.ts';
import { formatFrameRate } from './frameRate.ts';
import { readTime } from './snapshotTimes.ts';

/** Times of the composition: seconds (`2.5`) or frame numbers (`75f`). `to` is exclusive; absent: the end. */
export type RangeOptions = { from?: string; to?: string };

/** Frames `first` to `end - 1` of the composition. */
export type FrameRange = { first: number; end?: number };

/** Undefined without options. Throws UserError `usage`. */
export function readRange({ from, to }: RangeOptions, rate: FrameRate): FrameRange | undefined {
  if (from === undefined && to === undefined) return undefined;
  const first = from === undefined ? 0 : readFrame('from', from, rate);
  if (to === undefined) return { first };
  const end = readFrame('to', to, rate);
  if (end > first) return { first, end };
  throw new UserError('usage', `The time range is empty: it starts at ${from ?? 0} and ends at ${to}`, {
    hint: 'Make --to later than --from.',
  });
}

/** Checks options before the frame rate is known. Throws UserError `usage`. */
export function checkRange({ from, to }: RangeOptions): void {
  for (const [name, text] of Object.entries({ from, to })) if (text !== undefined) readRangeTime(name, text);
}

function readFrame(name: string, text: string, rate: FrameRate): number {
  const { unit, value } = readRangeTime(name, text);
  return unit === 'f' ? value : framesBefore(value, rate);
}

/** The length may be unknown when the range is read, so there are no percentages. */
function readRangeTime(name: string, text: string): ReturnType<typeof readTime> {
  const found = /^\d/.test(text.trim()) && !text.includes('%') ? readTime(text) : undefined;
  if (found) return found;
  throw new UserError('usage', `--${name} must be a time of the composition (got "${text}")`, {
    hint: 'Use seconds (2.5) or a frame number, counted from 0 (75f).',
  });
}

/** The frames of a composition with `total` frames that the range contains. Throws UserError `usage`. */
export function rangeFrames(
  { first, end = Number.POSITIVE_INFINITY }: FrameRange,
  total: number,
  rate: FrameRate,
): number {
  if (first < total && (end === Number.POSITIVE_INFINITY || end <= total)) return Math.min(end, total) - first;
  const late = first < total ? 'ends' : 'starts';
  throw new UserError('usage', `The time range ${late} after the end of the composition`, {
    hint: `The composition has ${total} frames (${frameTime(total, rate)} s) at ${formatFrameRate(rate)} frames per second.`,
  });
}
