// Estimates, compared with values that were computed by hand.
import { expect, test } from 'vitest';
import { estimateRender } from '../../../serverless/renders/estimate.ts';
import { computeRenderCost, prices, transitionsOf } from '../../../serverless/renders/prices.ts';

test('estimates a render of 900 frames', () => {
  const { chunks, framesPerChunk, seconds, warnings, cost } = estimateRender(900, {}, 10_240);
  expect({ chunks, framesPerChunk, seconds, warnings }).toEqual({
    chunks: 4,
    framesPerChunk: 225,
    seconds: 45,
    warnings: [],
  });
  expect(cost.usd).toBeCloseTo(0.0214, 4);
});

test('warns of a chunk that comes close to the time limit', () => {
  const { shareOfLimit, warnings } = estimateRender(16 * 11_000, {}, 10_240);
  expect(shareOfLimit).toBeCloseTo((12 + 11_000 / 15) / 900, 5);
  expect(warnings).toEqual([expect.stringContaining('--max-parallel-chunks')]);
});

test('adds the start of a distributed Map', () => {
  expect(estimateRender(108_000, { maxParallelChunks: 200 }, 4096).seconds).toBe(10 + 7 + 12 + 540 / 15 + 8);
});

test('computes the cost of one GB-second with its storage and requests', () => {
  const { lambda, stepFunctions } = computeRenderCost({
    billedMs: 1000,
    memoryMb: 1024,
    invocations: 0,
    chunks: 0,
    transitions: 0,
  });
  expect(lambda).toBeCloseTo(prices.lambdaGbSecond + 9.5 * prices.lambdaStorageGbSecond, 12);
  expect(stepFunctions).toBe(0);
  expect(transitionsOf(4)).toBe(10);
  // Each chunk is an execution of its own.
  expect(transitionsOf(41)).toBe(88);
});
