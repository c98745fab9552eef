// Which frames are compared with the browser's own screenshot, and when they agree.
import { expect, test } from 'vitest';
import { agrees, chooseSamples } from '../../../renderer-core/capture/samples.ts';

test.each([
  [1, undefined, [0]],
  [2, undefined, [0, 1]],
  [300, undefined, [50, 150, 250]],
  [300, 2, [75, 225]],
  [1800, undefined, [300, 900, 1500]],
  [108_000, undefined, [10800, 32400, 54000, 75600, 97200]],
])('of %d frames, asked for %s: %j', (frames, count, samples) => {
  expect(chooseSamples(frames, ...(count === undefined ? [] : [count]))).toEqual(samples);
});

test.each([
  [{ psnr: 99, worstTile: 99 }, true],
  [{ psnr: 40, worstTile: 28 }, true],
  [{ psnr: 39.9, worstTile: 60 }, false],
  [{ psnr: 55, worstTile: 20 }, false],
])('%j agrees: %s', (comparison, expected) => expect(agrees(comparison)).toBe(expected));
