// The options `--poll-interval` and `--max-wait`, and the durations that they take.
import type { CloudRenderRequest } from '../../../cloud/client/cloudRender.ts';
import { UserError } from '../../../renderer-core/errors.ts';
import type { CommandInput } from '../../command.ts';

const hour = 60 * 60_000;

/** `--poll-interval` and `--max-wait`. Throws UserError `usage`. */
export function readWaitOptions({ values }: CommandInput): Pick<CloudRenderRequest, 'pollIntervalMs' | 'maxWaitMs'> {
  const interval = values.get('poll-interval');
  const wait = values.get('max-wait');
  return {
    ...(interval === undefined
      ? {}
      : { pollIntervalMs: readDuration('poll-interval', interval, { least: 1000, most: hour }) }),
    ...(wait === undefined ? {} : { maxWaitMs: readDuration('max-wait', wait, { least: 1000, most: 7 * 24 * hour }) }),
  };
}

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Reads `90` and `90s` (seconds), `15m` or `1.5h`; returns milliseconds. Throws UserError `usage` outside `least` to `most`. */
export function readDuration(option: string, text: string, range: { least: number; most: number }): number {
  const [, amount, unit = 's'] = /^(\d{1,9}(?:\.\d{1,6})?)([smh])?$/.exec(text.trim()) ?? [];
  const ms = Math.round(Number(amount ?? Number.NaN) * (units[unit] ?? Number.NaN));
  if (ms >= range.least && ms <= range.most) return ms;
  throw new UserError(
    'usage',
    `--${option} must be from ${durationText(range.least)} to ${durationText(range.most)} (got "${text}")`,
    {
      hint: 'Write seconds, minutes or hours: 90, 90s, 15m, 1h.',
    },
  );
}

function durationText(ms: number): string {
  const unit = ['h', 'm', 's'].find((one) => ms % (units[one] ?? 1) === 0) ?? 's';
  return `${ms / (units[unit] ?? 1)}${unit}`;
}
