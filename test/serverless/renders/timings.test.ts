// How long the steps of a render took.
import { expect, test } from 'vitest';
import { type TimedRender, timingsOf } from '../../../serverless/renders/timings.ts';
import { startStopwatch } from '../../../serverless/steps/stageTimes.ts';

const times = (startedAt: number, isCold: boolean, stages: Record<string, number>) => ({
  startedAt,
  endedAt: startedAt + Object.values(stages).reduce((sum, ms) => sum + ms, 0),
  isCold,
  stages,
});

const render: TimedRender = {
  startedAt: new Date(10_000),
  plan: { times: times(12_000, true, { site: 500, plan: 3500 }) },
  chunks: [
    { frames: 101, times: times(16_500, true, { site: 1000, browser: 2000, page: 500, frames: 10_000, upload: 100 }) },
    { frames: 101, times: times(16_100, false, { site: 0, browser: 0, page: 400, frames: 5000, upload: 300 }) },
    { frames: 101, times: times(18_000, true, { site: 1200, browser: 2100, page: 500, frames: 4000, upload: 200 }) },
    { frames: 101, times: null },
  ],
  result: undefined,
};

const row = (step: string, stage: string, medianSeconds: number, longestSeconds = medianSeconds) => ({
  step,
  stage,
  medianSeconds,
  longestSeconds,
});

test('shows each stage of the finished steps', () => {
  expect(timingsOf(render)).toEqual({
    stages: [
      row('plan', 'wait', 2),
      row('plan', 'site', 0.5),
      row('plan', 'plan', 3.5),
      row('chunks', 'wait', 0.5, 2),
      row('chunks', 'site', 1, 1.2),
      row('chunks', 'browser', 2, 2.1),
      row('chunks', 'page', 0.5, 0.5),
      row('chunks', 'frames', 5, 10),
      row('chunks', 'upload', 0.2, 0.3),
    ],
    framesPerSecond: 20,
    coldWorkers: 3,
  });
});

test('measures from the end of the last chunk how long the assembly waited', () => {
  const result = { times: times(31_100, false, { site: 100, download: 200, join: 300, upload: 400 }) };
  expect(timingsOf({ ...render, result })?.stages.slice(9)).toEqual([
    row('assemble', 'wait', 1),
    row('assemble', 'site', 0.1),
    row('assemble', 'download', 0.2),
    row('assemble', 'join', 0.3),
    row('assemble', 'upload', 0.4),
  ]);
});

test('is null before the render is planned', () => {
  expect(timingsOf({ startedAt: new Date(0), plan: undefined, chunks: [], result: undefined })).toBeNull();
});

test('a stopwatch adds up stages with the same name', () => {
  const clock = [1000, 1200, 1500, 1600];
  const stopwatch = startStopwatch(() => clock.shift() ?? 0, true);
  for (const stage of ['site', 'frames', 'site']) stopwatch.end(stage);
  expect(stopwatch.times()).toEqual({
    startedAt: 1000,
    endedAt: 1600,
    isCold: true,
    stages: { site: 300, frames: 300 },
  });
});
