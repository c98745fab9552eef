// Frames per second as an exact fraction: its notations, and the number of frames of a video.
import { UserError } from '../errors.ts';
import { type FrameRate, framesBefore } from '../model/frameGrid.ts';

export const defaultFrameRate: FrameRate = { num: 30, den: 1 };

/** Contract, "Limits": frame rate 1 to 240. */
export const minFrameRate = 1;
export const maxFrameRate = 240;

/** Common notations of the broadcast rates, which are exact multiples of 1000/1001. */
const broadcast = new Map([
  ['23.976', { num: 24000, den: 1001 }],
  ['23.98', { num: 24000, den: 1001 }],
  ['29.97', { num: 30000, den: 1001 }],
  ['47.952', { num: 48000, den: 1001 }],
  ['47.95', { num: 48000, den: 1001 }],
  ['59.94', { num: 60000, den: 1001 }],
  ['119.88', { num: 120000, den: 1001 }],
  ['239.76', { num: 240000, den: 1001 }],
]);

/** Parses `30`, `12.5`, `29.97` (as 30000/1001) or `30000/1001`. Throws UserError `usage`, with `name` in the message. */
export function parseFrameRate(text: string, name = 'fps'): FrameRate {
  const trimmed = text.trim();
  const rate = broadcast.get(trimmed) ?? parseFraction(trimmed);
  if (!rate) {
    throw new UserError(
      'usage',
      `${name} must be a number or a fraction from ${minFrameRate} to ${maxFrameRate} (got "${text}")`,
      {
        hint: 'Write frames per second as 30, 29.97 or 30000/1001.',
      },
    );
  }
  const value = rate.num / rate.den;
  if (value < minFrameRate || value > maxFrameRate) {
    const message = `${name} must be a number from ${minFrameRate} to ${maxFrameRate} (got ${text})`;
    throw new UserError('usage', message, { hint: 'The usual rates are 24, 25, 30, 50 and 60.' });
  }
  return rate;
}

function parseFraction(text: string): FrameRate | undefined {
  const fraction = /^(\d{1,9})\s*\/\s*(\d{1,9})$/.exec(text);
  if (fraction) return lowestTerms(Number(fraction[1]), Number(fraction[2]));
  const decimal = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(text);
  if (!decimal) return undefined;
  const digits = decimal[2] ?? '';
  const scale = 10 ** digits.length;
  return lowestTerms(Number(decimal[1]) * scale + Number(digits || 0), scale);
}

function lowestTerms(num: number, den: number): FrameRate | undefined {
  if (num === 0 || den === 0) return undefined;
  let [a, b] = [num, den];
  while (b !== 0) [a, b] = [b, a % b];
  return { num: num / a, den: den / a };
}

/** Formats a rate as `30` or `30000/1001`, which ffmpeg accepts too. */
export function formatFrameRate(rate: FrameRate): string {
  return rate.den === 1 ? String(rate.num) : `${rate.num}/${rate.den}`;
}

/** The number of frames of a video that is `seconds` long, at least 1. */
export function frameCount(seconds: number, rate: FrameRate): number {
  return Math.max(1, framesBefore(seconds, rate));
}
