// Parses snapshot times: seconds, a frame number, or a percentage of the duration.
import { UserError } from '../errors.ts';
import { frameAtTime, frameTime } from '../model/frameGrid.ts';
import { formatFrameRate } from './frameRate.ts';
import type { RenderPlan } from './renderPlan.ts';

type Time = { unit: 's' | 'f' | '%'; value: number };

/** The time of a snapshot that shows the poster frame. */
export const posterName = 'poster';

/** Throws UserError `usage` for a text that is neither a time nor `poster`. */
export function checkSnapshotTime(text: string): void {
  if (text.trim() !== posterName) readTime(text);
}

/** Parses `2.5`, `2.5s`, `12f` or `50%`. Throws UserError `usage`. */
export function readTime(text: string): Time {
  const found = /^(\d{1,9}(?:\.\d{1,9})?)(s|f|%)?$/.exec(text.trim());
  const value = Number(found?.[1]);
  const unit = (found?.[2] ?? 's') as Time['unit'];
  const isWhole = unit !== 'f' || Number.isInteger(value);
  if (found && isWhole && (unit !== '%' || value <= 100)) return { unit, value };
  throw new UserError('usage', `"${text}" is not a valid time`, {
    hint: 'Use seconds (2.5), a frame number, counted from 0 (12f), or a percentage of the duration (50%).',
  });
}

/**
 * The frame at a time. The end of the video (`100%` or its duration) is its last frame. Throws UserError `usage` for a later
 * time.
 */
export function frameAt(text: string, plan: Pick<RenderPlan, 'frames' | 'fps' | 'duration'>): number {
  const { unit, value } = readTime(text);
  const last = plan.frames - 1;
  if (unit === '%') return Math.min(last, whole((value / 100) * plan.frames));
  if (unit === 's' && value === plan.duration) return last;
  const frame = unit === 'f' ? value : frameAtTime(value, plan.fps);
  if (frame <= last) return frame;
  const end = frameTime(plan.frames, plan.fps);
  throw new UserError('usage', `${text} is after the end of the video (${plan.frames} frames, ${end} s)`, {
    hint: `The last frame is ${last}f, at ${formatFrameRate(plan.fps)} frames per second.`,
  });
}

/** The frame at `seconds`, at most the last one. */
export const frameAtSeconds = (seconds: number, { frames, fps }: Pick<RenderPlan, 'frames' | 'fps'>): number =>
  Math.min(frames - 1, frameAtTime(seconds, fps));

/** Rounds down, tolerating rounding errors. */
const whole = (value: number): number => Math.floor(value + 1e-6);
