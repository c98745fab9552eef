// Lengths of time as people type them.
import { UserError } from '../errors.ts';

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 };

/** `90` and `90s` (seconds), `15m`, `1.5h`, in milliseconds. Throws UserError `usage` outside `least` to `most`. */
export function readDuration(option: string, text: string, range: { least: number; most: number }): number {
  const [, amount, unit = 's'] = /^(\d{1,9}(?:\.\d{1,6})?)([smh])?$/.exec(text.trim()) ?? [];
  const ms = Math.round(Number(amount ?? Number.NaN) * (units[unit] ?? Number.NaN));
  if (ms >= range.least && ms <= range.most) return ms;
  throw new UserError('usage', `--${option} cannot be "${text}"`, {
    hint: `It takes seconds, minutes or hours, from ${durationText(range.least)} to ${durationText(range.most)}: 90, 90s, 15m, 1h.`,
  });
}

function durationText(ms: number): string {
  const unit = ['h', 'm', 's'].find((one) => ms % (units[one] ?? 1) === 0) ?? 's';
  return `${ms / (units[unit] ?? 1)}${unit}`;
}
