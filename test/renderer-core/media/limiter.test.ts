// Sound that is too loud for a file: what is turned down, how far, and what is left alone.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limit, limiterReach } from '../../renderer-core/media/limiter.ts';

const margin = 2 * limiterReach;

/** Stereo whose left side is `left`; the right side is silent. */
function limited(left: number[]): number[] {
  const sound = new Float32Array((left.length + 2 * margin) * 2);
  for (const [index, value] of left.entries()) sound[(margin + index) * 2] = value;
  return [...limit(sound)].filter((_, index) => index % 2 === 0);
}

test('what fits is not touched', () => {
  const quiet = [0.5, -1, 1, 0.123456789, 0];
  expect(limited(quiet)).toEqual([...Float32Array.from(quiet)]);
});

test('a peak comes out at full scale, and 40 ms away nothing is touched', () => {
  const left = Array(2 * margin + 3).fill(0.5);
  left[margin + 1] = -2;
  const result = limited(left);
  expect(result[margin + 1]).toBeCloseTo(-1, 6);
  expect(result[margin]).toBeCloseTo(0.25, 3);
  expect(result[0]).toBe(0.5);
  expect(result.at(-1)).toBe(0.5);
});

test('the gain moves slowly: no click where it sets in', () => {
  const left = Array(3 * margin).fill(0.5);
  left[margin] = 4;
  const result = limited(left).filter((_, index) => index !== margin);
  const steps = result.slice(1).map((value, index) => Math.abs(value - (result[index] ?? 0)));
  expect(Math.max(...steps)).toBeLessThan(0.001);
});

test('nothing comes out above full scale', () => {
  fc.assert(
    fc.property(fc.array(fc.float({ min: -8, max: 8, noNaN: true }), { minLength: 1, maxLength: 200 }), (left) => {
      expect(Math.max(...limited(left).map(Math.abs))).toBeLessThanOrEqual(1 + 1e-6);
    }),
    { numRuns: 30 },
  );
});

test('both sides are turned down together', () => {
  const sound = new Float32Array((1 + 2 * margin) * 2);
  sound.set([2, 0.5], margin * 2);
  expect([...limit(sound)]).toEqual([1, 0.25]);
});
