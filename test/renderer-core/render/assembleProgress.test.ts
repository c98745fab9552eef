// Progress of mixing and joining: shares of the whole render, and the time that is left.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reportAssembly, whileWriting } from '../../../renderer-core/render/assembleProgress.ts';
import { countFrames } from '../../../renderer-core/render/progress.ts';
import type { RenderEvent } from '../../../renderer-core/render/renderReport.ts';
import { temporaryFolder } from '../../support/project.ts';

function recorded() {
  const events: RenderEvent[] = [];
  const clock = { time: 0 };
  const progress = { now: () => clock.time, emit: (event: RenderEvent) => void events.push(event) };
  return { events, clock, progress: { ...progress, startedAt: 0, warnings: [] } };
}

test('counts mixing and joining in the time that is left while frames are captured', () => {
  const { events, clock, progress } = recorded();
  const frames = countFrames(100, { share: 0.95, after: 3 }, progress);
  clock.time = 1000;
  frames.add(50);
  const event = { type: 'frames', done: 50, total: 100, fraction: 0.475, framesPerSecond: 50, remainingSeconds: 4 };
  expect(events).toEqual([event]);
});

test('estimates the time that is left when the speed is known, without the wait for the first frame', () => {
  const { events, clock, progress } = recorded();
  const frames = countFrames(1000, { share: 0.95, after: 0 }, progress);
  for (const [time, count] of [
    [5000, 1],
    [5500, 10],
    [6500, 20],
    [7000, 10],
  ] as const) {
    clock.time = time;
    frames.add(count);
  }
  expect(events.map((event) => 'remainingSeconds' in event && event.remainingSeconds)).toEqual([
    null,
    null,
    expect.closeTo(48.45),
    expect.closeTo(47.95),
  ]);
});

test('moves while the sound is mixed and the video is joined, at most ten times per second', () => {
  const { events, clock, progress } = recorded();
  const { mix, join: joined } = reportAssembly(true, progress);
  for (const [time, report, done] of [
    [0, mix, 0],
    [50, mix, 0.1],
    [1000, mix, 0.5],
    [2000, mix, 1],
    [3000, joined, 0.5],
  ] as const) {
    clock.time = time;
    report(done);
  }
  expect(events).toEqual([
    { type: 'assemble', fraction: 0.95, remainingSeconds: null },
    { type: 'assemble', fraction: expect.closeTo(0.9625), remainingSeconds: 3 },
    { type: 'assemble', fraction: expect.closeTo(0.975), remainingSeconds: 2 },
    { type: 'assemble', fraction: expect.closeTo(0.9875), remainingSeconds: 1 },
  ]);
});

test('reports the share of a file that is written', async () => {
  const path = join(temporaryFolder(), 'video.mp4');
  writeFileSync(path, new Uint8Array(25));
  const shares: number[] = [];
  let arrived = (): void => undefined;
  const share = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const onShare = (done: number): void => {
    shares.push(done);
    arrived();
  };
  expect(await whileWriting(path, 100, onShare, () => share.then(() => 'joined'))).toBe('joined');
  expect(shares).toEqual([0.25]);
});
