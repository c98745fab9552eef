// When a free worker starts the slowest chunk of a render a second time.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunkToStart, isSlower, type ObservedChunk, paceOf, type RunningChunk } from '../../serverless/secondStart.ts';

const now = 1_000_000;

/** A worker that needs 16 s for a chunk of 225 frames: 0.5 s for the page, 15 s for the frames, 0.5 s to upload. */
const pace = { firstFrameMs: 3000, pageMs: 500, frameMs: 15_000 / 225, uploadMs: 500 };
const worker = { index: 0, pace, msLeft: 800_000 };

const finished = (index: number): ObservedChunk => ({ index, state: 'finished' });

/** It has captured frames for 20 s. */
const running = (index: number, framesDone: number, more: Partial<RunningChunk> = {}): ObservedChunk => ({
  index,
  state: 'running',
  progress: {
    frames: 225,
    framesDone,
    startedAt: now - 23_000,
    firstFrameAt: now - 20_000,
    updatedAt: now,
    ...more,
  },
});

test.each<[string, ObservedChunk[], number | undefined]>([
  ['captures 2 frames a second', [finished(0), running(1, 40)], 1],
  ['captures 5 frames a second and ends in 25 s', [finished(0), running(1, 100)], undefined],
  ['is the slowest of two', [finished(0), running(1, 40), running(2, 30)], 2],
  [
    'has not reported for 20 s',
    [finished(0), running(1, 200, { firstFrameAt: now - 40_000, updatedAt: now - 20_000 })],
    1,
  ],
  ['has reported 12 s ago', [finished(0), running(1, 200, { updatedAt: now - 12_000 })], undefined],
  [
    'has shown no first frame for 16 s',
    [finished(0), running(1, 0, { startedAt: now - 16_000, firstFrameAt: null, updatedAt: now - 16_000 })],
    1,
  ],
  ['has captured frames for 4 s only', [finished(0), running(1, 2, { firstFrameAt: now - 4000 })], undefined],
  ['has been claimed by another worker', [finished(0), { index: 1, state: 'claimed' }], undefined],
  ['is slow while another chunk waits for a worker', [running(1, 40), { index: 2, state: 'waiting' }], undefined],
  ['is its own', [running(0, 10), finished(1)], undefined],
  ['has finished', [finished(0), finished(1)], undefined],
])('a chunk that %s', (_what, chunks, expected) => {
  expect(chunkToStart(worker, chunks, now)).toBe(expected);
});

test('a worker whose own first frame takes long waits longer for that of another', () => {
  const chunks = [running(1, 0, { startedAt: now - 23_000, firstFrameAt: null, updatedAt: now - 23_000 })];
  const slowStart = { ...worker, pace: { ...pace, firstFrameMs: 12_000 } };
  expect(chunkToStart(slowStart, chunks, now)).toBeUndefined();
  expect(chunkToStart(slowStart, chunks, now + 1000)).toBe(1);
});

test('a worker that could reach its deadline starts nothing', () => {
  expect(chunkToStart({ ...worker, msLeft: 31_000 }, [running(1, 40)], now)).toBeUndefined();
  expect(chunkToStart({ ...worker, msLeft: 33_000 }, [running(1, 40)], now)).toBe(1);
});

test('a second worker stops if it is slower than the first one', () => {
  const at = (framesDone: number, updatedAt = now): RunningChunk => ({
    ...{ frames: 225, framesDone, startedAt: 0, firstFrameAt: now - 20_000, updatedAt },
  });
  expect(isSlower(at(40), at(100), now)).toBe(true);
  expect(isSlower(at(100), at(40), now)).toBe(false);
  expect(isSlower({ ...at(1), firstFrameAt: now - 2000 }, at(100), now)).toBe(false);
  // The first one has stalled.
  expect(isSlower(at(40), at(100, now - 15_000), now)).toBe(false);
});

test('the pace of a worker comes from its stages', () => {
  const stages = { site: 1000, browser: 1500, page: 500, frames: 22_400, upload: 300 };
  const times = { startedAt: 0, endedAt: 25_700, isCold: true, stages };
  expect(paceOf(times, 225)).toEqual({ firstFrameMs: 3000, pageMs: 500, frameMs: 100, uploadMs: 300 });
  expect(paceOf({ ...times, stages: { site: 0 } }, 225)).toBeUndefined();
});

const ms = (max: number) => fc.integer({ min: 0, max });
const share = ms(1000).map((part) => part / 1000);

const chunkOf = (index: number): fc.Arbitrary<ObservedChunk> =>
  fc.oneof(
    fc.record({ index: fc.constant(index), state: fc.constantFrom('finished', 'claimed') }),
    fc
      .record({
        frames: fc.integer({ min: 1, max: 2000 }),
        done: share,
        age: ms(900_000),
        captured: share,
        silence: share,
      })
      .map(({ frames, done, age, captured, silence }): ObservedChunk => {
        const framesDone = Math.round(done * frames);
        const updatedAt = now - silence * age;
        const firstFrameAt = framesDone === 0 ? null : updatedAt - captured * (age - silence * age);
        const progress = { frames, framesDone, startedAt: now - age, firstFrameAt, updatedAt };
        return { index, state: 'running', progress };
      }),
  ) as fc.Arbitrary<ObservedChunk>;

const chunks = fc.integer({ min: 1, max: 12 }).chain((count) => fc.tuple(...[...Array(count).keys()].map(chunkOf)));
const workers = fc.record({
  index: fc.integer({ min: 0, max: 11 }),
  pace: fc.record({ firstFrameMs: ms(60_000), pageMs: ms(20_000), frameMs: ms(200), uploadMs: ms(10_000) }),
  msLeft: ms(900_000),
});

test('only a running chunk of another worker is started, and only within the time of the worker', () => {
  let started = 0;
  fc.assert(
    fc.property(workers, chunks, (free, all) => {
      const index = chunkToStart(free, all, now);
      if (index === undefined) return;
      started++;
      const chunk = all[index];
      expect(index).not.toBe(free.index);
      if (chunk?.state !== 'running') throw new Error(`chunk ${index} is ${chunk?.state}`);
      const { pageMs, frameMs, uploadMs } = free.pace;
      const needMs = pageMs + chunk.progress.frames * frameMs + uploadMs;
      expect(needMs).toBeLessThanOrEqual(free.msLeft);
      // Even a worker that hangs ends at its limit.
      const { startedAt, firstFrameAt, updatedAt, framesDone, frames } = chunk.progress;
      const bySpeed = firstFrameAt === null ? 0 : ((frames - framesDone) * (updatedAt - firstFrameAt)) / framesDone;
      expect(needMs).toBeLessThan(Math.max(startedAt + 900_000, updatedAt + bySpeed) - now);
    }),
    { numRuns: 2000 },
  );
  expect(started).toBeGreaterThan(100);
});

test('nothing is started while a chunk waits for a worker', () => {
  fc.assert(
    fc.property(workers, chunks, (free, all) => {
      const waiting: ObservedChunk = { index: all.length, state: 'waiting' };
      expect(chunkToStart(free, [...all, waiting], now)).toBeUndefined();
    }),
  );
});
