// The model of docs/scale.md: the time and cost of a render from measured stages, compared with values that were computed by hand.
import { expect, test } from 'vitest';
import { modelRender, slowed } from '../../bench/serverless/serverlessModel.ts';

const stages = { plan: 5, firstFrame: 3, passedFrame: 0.001, frame: 0.05, assemble: 2 };
const twoMinutes = { frames: 3600, chunks: 40, bytes: 30e6, memoryMb: 4096, stages };

test('adds the slowest chunk, the other steps, and what AWS needs', () => {
  const { seconds, workerSeconds, passing, usd } = modelRender(twoMinutes);
  // 7 transitions, plan, the last chunk, which passes 3510 frames, and assemble with its transfers.
  expect(seconds).toBeCloseTo(0.7 + (2 + 5) + (2 + 3 + 3.51 + 90 * 0.05) + (2 + 0.4), 6);
  expect(workerSeconds).toBeCloseTo(7 + 40 * 9.5 + 70.2 + 2.4, 6);
  expect(passing).toBeCloseTo(70.2 / 459.6, 6);
  expect(usd).toBeCloseTo(0.03305, 5);
});

test('adds the start of a distributed Map to renders of more than 40 chunks', () => {
  const distributed = modelRender({ ...twoMinutes, chunks: 60 });
  expect(distributed.seconds).toBeCloseTo(0.7 + 7 + 7 + (2 + 3 + 3.54 + 60 * 0.05) + 2.4, 6);
});

test('a processor of half the speed needs twice the time for everything that was measured', () => {
  expect(slowed(stages, 2)).toEqual({ plan: 10, firstFrame: 6, passedFrame: 0.002, frame: 0.1, assemble: 4 });
});
