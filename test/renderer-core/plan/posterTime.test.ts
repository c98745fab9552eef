// The time of the poster frame: the declared one, or the first frame with content after the intro.
import { expect, test } from 'vitest';
import { choosePosterTime } from '../../../renderer-core/plan/posterTime.ts';

/** Chooses the poster time of a video that shows content in `shown` (seconds). Returns the times that were checked, too. */
async function choose(duration: number, posterTime: number | null, shown: [number, number] = [0, Infinity]) {
  const checked: number[] = [];
  const time = await choosePosterTime({ duration, posterTime }, async (seconds) => {
    checked.push(seconds);
    return seconds < shown[0] || seconds >= shown[1];
  });
  return { time, checked };
}

test('is the declared time', async () => {
  expect(await choose(10, 7.25)).toEqual({ time: 7.25, checked: [] });
  expect(await choose(10, 0)).toEqual({ time: 0, checked: [] });
  expect(await choose(10, 10)).toEqual({ time: 10, checked: [] });
});

test('is after the intro, even if the declared time is after the end', async () => {
  expect(await choose(10, null)).toEqual({ time: 1.5, checked: [1.5] });
  expect(await choose(10, 12)).toEqual({ time: 1.5, checked: [1.5] });
  expect(await choose(3, null)).toEqual({ time: 1, checked: [1] });
});

test('skips blank frames', async () => {
  expect(await choose(7.5, null, [4, 6])).toEqual({ time: 4.5, checked: [1.5, 2.5, 3.5, 4.5] });
});

test('is in the middle if all frames are blank', async () => {
  expect(await choose(7.5, null, [9, 9])).toEqual({ time: 3.75, checked: [1.5, 2.5, 3.5, 4.5, 5.5, 6.5] });
});
