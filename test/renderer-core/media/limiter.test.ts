// The limiter: what it lowers, by how much, and what it keeps unchanged.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limit, lookaheadSamples } from '../../../renderer-core/media/limiter.ts';

const margin = 2 * lookaheadSamples;

/** Limits stereo sound with `left` on the left side and silence on the right. Returns the left side. */
function limited(left: number[]): number[] {
  const sound = new Float32Array((left.length + 2 * margin) * 2);
  for (const [index, value] of left.entries()) sound[(margin + index) * 2] = value;
  return [...limit(sound)].filter((_, index) => index % 2 === 0);
}

test('does not change sound that is not too loud', () => {
  const quiet = [0.5, -1, 1, 0.123456789, 0];
  expect(limited(quiet)).toEqual([...Float32Array.from(quiet)]);
});

test('lowers a peak to full scale, and does not change sound more than 40 ms away', () => {
  const left = Array(2 * margin + 3).fill(0.5);
  left[margin + 1] = -2;
  const result = limited(left);
  expect(result[margin + 1]).toBeCloseTo(-1, 6);
  expect(result[margin]).toBeCloseTo(0.25, 3);
  expect(result[0]).toBe(0.5);
  expect(result.at(-1)).toBe(0.5);
});

test('changes the gain slowly enough to avoid clicks', () => {
  const left = Array(3 * margin).fill(0.5);
  left[margin] = 4;
  const result = limited(left).filter((_, index) => index !== margin);
  const steps = result.slice(1).map((value, index) => Math.abs(value - (result[index] ?? 0)));
  expect(Math.max(...steps)).toBeLessThan(0.001);
});

test('returns no value above full scale', () => {
  fc.assert(
    fc.property(fc.array(fc.float({ min: -8, max: 8, noNaN: true }), { minLength: 1, maxLength: 200 }), (left) => {
      expect(Math.max(...limited(left).map(Math.abs))).toBeLessThanOrEqual(1 + 1e-6);
    }),
    { numRuns: 30 },
  );
});

test('lowers both sides together', () => {
  const sound = new Float32Array((1 + 2 * margin) * 2);
  sound.set([2, 0.5], margin * 2);
  expect([...limit(sound)]).toEqual([1, 0.25]);
});
