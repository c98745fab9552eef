// When the renderer chooses the number of pages, and the load of the first page that it measures for this.
import { expect, test } from 'vitest';
import { countWorkers } from '../../../../renderer-core/render/chunks/countWorkers.ts';
import type { Load } from '../../../../renderer-core/render/chunks/workers.ts';

/** What the first page does: `ms` pass while `cores` are busy, then it reports `frames`. */
type Step = { ms: number; cores: number; frames: number; done?: boolean };

const twelve = (ms: number): Step[] => Array.from({ length: 12 }, () => ({ ms, cores: 1.25, frames: 1 }));

/** The load from which the number of pages of a video of 100 frames is chosen, and after which step. */
async function measured(steps: Step[]): Promise<{ step: number; load: Load }[]> {
  let now = 0;
  let busy = 0;
  let step = 0;
  const chosen: { step: number; load: Load }[] = [];
  const measure = async () => {
    const begun = { now, busy };
    return async () => ({ cores: (busy - begun.busy) / (now - begun.now), memory: null, passing: 0 });
  };
  const count = (load: Load) => {
    chosen.push({ step, load });
    return 1;
  };
  const onCaptured = countWorkers({ count, frames: 100, now: () => now, measure }, () => undefined);
  for (const { ms, cores, frames, done } of steps) {
    step++;
    now += ms;
    busy += ms * cores;
    await onCaptured(frames, done);
  }
  return chosen;
}

test('measures from the first frame on, without the load of opening the page', async () => {
  const opening = { ms: 3000, cores: 2, frames: 1 };
  expect(await measured([opening, ...twelve(50), ...twelve(50)])).toEqual([
    { step: 13, load: { cores: 1.25, memory: null, passing: 0, secondsToStart: 3, secondsLeft: 4.35 } },
  ]);
});

test('measures fast frames for a sufficient time, although several are reported at once', async () => {
  const opening = { ms: 500, cores: 2, frames: 1 };
  const atOnce = { ms: 0, cores: 0, frames: 1 };
  const batch = { ms: 200, cores: 1.5, frames: 12 };
  expect(await measured([opening, ...Array(11).fill(atOnce), batch, batch])).toEqual([
    { step: 14, load: { cores: 1.5, memory: null, passing: 0, secondsToStart: 0.5, secondsLeft: (64 * 0.4) / 35 } },
  ]);
});

test('chooses at the end of a video that is too short to be measured', async () => {
  const [chosen, ...others] = await measured([
    { ms: 500, cores: 2, frames: 98 },
    { ms: 50, cores: 1, frames: 2 },
    { ms: 50, cores: 1, frames: 0, done: true },
  ]);
  expect(chosen).toEqual({
    step: 3,
    load: { cores: 1, memory: null, passing: 0, secondsToStart: 0.5, secondsLeft: 0 },
  });
  expect(others).toEqual([]);
});

test('chooses a known number before the first frame', () => {
  const counts: number[] = [];
  const measure = () => Promise.reject(new Error('not measured'));
  countWorkers({ count: 3, frames: 100, now: () => 0, measure }, (count) => counts.push(count));
  expect(counts).toEqual([3]);
});
