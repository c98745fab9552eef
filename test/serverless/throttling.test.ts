// Renders wait for free workers as long as their execution may run, by a model of the deployed retry policy.
import { describe, expect, test } from 'vitest';
import {
  machineSeconds,
  maxChunks,
  maxChunksAtOnce,
  maxEvents,
  maxInlineChunks,
  throttledRetry,
} from '../../serverless/deploy/stateMachine.ts';
import { type Load, simulate } from '../bench/serverless/throttlingModel.ts';

const load = (changes: Partial<Load>): Load => ({
  ...{ renders: 1, chunks: 4, seconds: { plan: 10, chunk: 27, assemble: 8 }, workers: 32, maxRunning: 1000 },
  ...{ mapConcurrency: 32, policy: throttledRetry, limitSeconds: machineSeconds, seed: 1, ...changes },
});

describe('the model', () => {
  test('ends a render without competition after the time of its tasks', () => {
    expect(simulate(load({}))).toEqual({
      ...{ succeeded: 1, failed: 0, timedOut: 0, hours: 45 / 3600, events: 30 + 4 * 7 },
      utilization: (10 + 4 * 27 + 8) / (45 * 32),
    });
  });

  test('fails 867 of 1,000 renders of the docs with the policy of earlier versions', () => {
    const policy = { IntervalSeconds: 2, BackoffRate: 2, MaxDelaySeconds: 60, MaxAttempts: 20 };
    expect(simulate(load({ renders: 1000, policy, mapConcurrency: 40 }))).toMatchObject({
      succeeded: 133,
      failed: 867,
    });
  });

  test('ends executions that never get a worker at their time limit', () => {
    expect(simulate(load({ renders: 2, workers: 0 }))).toMatchObject({ timedOut: 2, hours: machineSeconds / 3600 });
  });
});

describe('the deployed policy', () => {
  test.each([8, 50, 1000])('completes 1,000 renders with 32 workers, %i at the same time', (maxRunning) => {
    const outcome = simulate(load({ renders: 1000, maxRunning }));
    expect(outcome).toMatchObject({ succeeded: 1000, failed: 0, timedOut: 0 });
    expect(outcome.utilization).toBeGreaterThan(0.65);
  });

  test('completes a video of an hour with the ten workers of a new account', () => {
    const hour = { chunks: maxChunks, seconds: { plan: 10, chunk: 30, assemble: 60 } };
    expect(simulate(load({ ...hour, workers: 10, mapConcurrency: 10 }))).toMatchObject({ succeeded: 1 });
  });

  test.each([
    ['an inline Map', { chunks: maxInlineChunks, mapConcurrency: maxInlineChunks, chunk: 500 }, 10_000],
    ['a distributed Map', { chunks: maxChunks, mapConcurrency: maxChunksAtOnce, chunk: 50 }, 300],
  ])('has few enough events in %s although almost all workers are used by others for hours', (_, given, atLeast) => {
    const { chunks, mapConcurrency, chunk } = given;
    const seconds = { plan: 10, chunk, assemble: 60 };
    const { succeeded, events } = simulate(load({ chunks, seconds, workers: 1, mapConcurrency }));
    expect(succeeded).toBe(1);
    expect(events).toBeGreaterThan(atLeast);
    expect(events).toBeLessThan(maxEvents);
  });
});
