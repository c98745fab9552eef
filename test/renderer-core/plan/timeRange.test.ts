// The part of a composition that `--from` and `--to` select.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../renderer-core/errors.ts';
import { checkOptions } from '../../../renderer-core/plan/options.ts';
import { completePlan, draftPlan } from '../../../renderer-core/plan/plan.ts';
import type { RangeOptions } from '../../../renderer-core/plan/timeRange.ts';

/** Ten seconds, or a length that only the page knows, at 30 frames per second. */
const plan = (options: RangeOptions, duration: number | null = 10) =>
  completePlan(
    draftPlan(
      { width: 320, height: 180, sizes: [], duration, fps: null, timezone: null, locale: null, loudness: null },
      checkOptions(options),
      {
        composition: 'index.html',
      },
    ),
    duration ?? 10,
  );

test.each([
  [{ from: '2.5' }, { firstFrame: 75, frames: 225, duration: 7.5 }],
  [{ to: '4' }, { firstFrame: 0, frames: 120, duration: 4 }],
  [
    { from: '1s', to: '45f' },
    { firstFrame: 30, frames: 15, duration: 0.5 },
  ],
  [
    { from: '0.1', to: '0.2' },
    { firstFrame: 3, frames: 3, duration: 0.1 },
  ],
  [{ from: '299f' }, { firstFrame: 299, frames: 1 }],
  [{ to: '10' }, { firstFrame: 0, frames: 300, duration: 10 }],
])('renders the part %j', (options, expected) => {
  expect(plan(options)).toMatchObject(expected);
  expect(plan(options, null)).toMatchObject(expected);
});

test('counts the frames of the chunks from the start of the part', () => {
  expect(plan({ from: '1', to: '10' }).chunks).toEqual([
    { index: 0, start: 0, end: 135 },
    { index: 1, start: 135, end: 270 },
  ]);
});

describe('rejects', () => {
  test.each([
    [{ from: '10' }, 'The time range starts after the end of the composition'],
    [{ to: '10.1' }, 'The time range ends after the end of the composition'],
    [{ from: '5', to: '5' }, 'The time range is empty: it starts at 5 and ends at 5'],
    [{ to: '0' }, 'The time range is empty: it starts at 0 and ends at 0'],
    [{ from: '50%' }, '--from must be a time of the composition (got "50%")'],
    [{ to: '1:30' }, '"1:30" is not a valid time'],
    [{ from: '' }, '--from must be a time of the composition (got "")'],
  ])('%j', (options, message) => {
    const error = expect.objectContaining({ code: 'usage', message });
    for (const duration of [10, null]) {
      expect(() => plan(options, duration)).toThrow(UserError);
      expect(() => plan(options, duration)).toThrow(error);
    }
  });

  test('an invalid time before any file is read', () => {
    expect(() => checkOptions({ from: 'now' })).toThrow('--from must be a time of the composition (got "now")');
  });
});
