// The remaining time of a render follows from its speed since the first frames.
import { expect, test } from 'vitest';
import { remainingMs } from '../../../../cloud/service/queue/remainingTime.ts';

test.each([
  ['half is left at the same speed', { at: 1_000, progress: 0 }, { at: 6_000, progress: 0.5 }, 5_000],
  ['the time before the first frames does not count', { at: 9_000, progress: 0.1 }, { at: 10_000, progress: 0.6 }, 800],
  ['there is no progress yet', { at: 1_000, progress: 0.1 }, { at: 6_000, progress: 0.1 }, Number.POSITIVE_INFINITY],
  ['there is no frame yet', undefined, { at: 6_000, progress: 0 }, Number.POSITIVE_INFINITY],
])('estimates the time if %s', (_, first, last, ms) => expect(remainingMs(first, last)).toBeCloseTo(ms));
