// Which frame stands at a time as people write it: seconds, the number of a frame, or a part of the whole.
import { UserError } from '../errors.ts';
import { formatFrameRate, frameTime } from './frameRate.ts';
import type { RenderPlan } from './plan.ts';

type Time = { unit: 's' | 'f' | '%'; value: number };

/** Reads `2.5`, `2.5s`, `12f` or `50%`. Throws UserError `usage`. */
export function readTime(text: string): Time {
  const found = /^(\d{1,9}(?:\.\d{1,9})?)(s|f|%)?$/.exec(text.trim());
  const value = Number(found?.[1]);
  const unit = (found?.[2] ?? 's') as Time['unit'];
  const isWhole = unit !== 'f' || Number.isInteger(value);
  if (found && isWhole && (unit !== '%' || value <= 100)) return { unit, value };
  throw new UserError('usage', `"${text}" is not a time`, {
    hint: 'Write seconds (2.5), the number of a frame, from 0 (12f), or a part of the whole (50%).',
  });
}

/**
 * The frame that shows at a time. The end of the video, `100%` or its duration, is its last frame. Throws UserError
 * `usage` for a time after it.
 */
export function frameAt(text: string, plan: Pick<RenderPlan, 'frames' | 'fps' | 'duration'>): number {
  const { unit, value } = readTime(text);
  const last = plan.frames - 1;
  if (unit === '%') return Math.min(last, whole((value / 100) * plan.frames));
  if (unit === 's' && value === plan.duration) return last;
  const frame = unit === 'f' ? value : whole((value * plan.fps.num) / plan.fps.den);
  if (frame <= last) return frame;
  const end = frameTime(plan.frames, plan.fps);
  throw new UserError('usage', `${text} is after the end: there are ${plan.frames} frames, ${end} s`, {
    hint: `The last frame is ${last}f, at ${formatFrameRate(plan.fps)} frames a second.`,
  });
}

/** Rounded down; what is a whole number but for the arithmetic of fractions is taken for it. */
const whole = (value: number): number => Math.floor(value + 1e-6);
