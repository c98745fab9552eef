// Chunks, time and dollars worked out by hand.
import { expect, test } from 'vitest';
import { estimateRender } from '../../renderer-core/serverless/estimate.ts';
import { computeRenderCost, prices, transitionsOf } from '../../renderer-core/serverless/prices.ts';

test('a render of 900 frames', () => {
  const { chunks, framesPerChunk, seconds, warnings, cost } = estimateRender(900, {}, 10_240);
  expect({ chunks, framesPerChunk, seconds, warnings }).toEqual({
    chunks: 4,
    framesPerChunk: 225,
    seconds: 45,
    warnings: [],
  });
  expect(cost.usd).toBeCloseTo(0.0214, 4);
});

test('a chunk that will come near the limit of a worker is warned of', () => {
  const { shareOfLimit, warnings } = estimateRender(16 * 11_000, {}, 10_240);
  expect(shareOfLimit).toBeCloseTo((12 + 11_000 / 15) / 900, 5);
  expect(warnings).toEqual([expect.stringContaining('--max-parallel-chunks')]);
});

test('a gigabyte for a second, and what comes with it', () => {
  const { lambda, stepFunctions } = computeRenderCost({
    billedMs: 1000,
    memoryMb: 1024,
    invocations: 0,
    chunks: 0,
    transitions: 0,
  });
  expect(lambda).toBeCloseTo(prices.lambdaGbSecond + 9.5 * prices.lambdaStorageGbSecond, 12);
  expect(stepFunctions).toBe(0);
  expect(transitionsOf(4)).toBe(9);
});
