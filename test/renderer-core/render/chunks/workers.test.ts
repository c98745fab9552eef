// The number of capture pages, the reason in the report, and the shares that each page gets.
import { expect, test } from 'vitest';
import { splitShares } from '../../../../renderer-core/plan/chunks.ts';
import { createShareScheduler } from '../../../../renderer-core/render/chunks/shareScheduler.ts';
import { chooseWorkers, requestedWorkers } from '../../../../renderer-core/render/chunks/workers.ts';

const gigabyte = 2 ** 30;
const megabyte = 2 ** 20;
const usual = { cores: 1.2, memory: 250 * megabyte, secondsToStart: 0.2, secondsLeft: 60, passing: 0 };
const heavy = { ...usual, cores: 1.9 };
const large = { ...usual, memory: 1700 * megabyte };
const short = { ...usual, secondsLeft: 2 };

test.each([
  ['two small cores', usual, 10, 2, 20 * gigabyte, 2, 'each keeps 1.5 of 2 cores busy'],
  ['eight cores', usual, 10, 8, 20 * gigabyte, 6, 'each keeps 1.5 of 8 cores busy'],
  ['a heavy page', heavy, 10, 2, 20 * gigabyte, 1, 'each keeps 2.2 of 2 cores busy'],
  [
    'a page with little load',
    { ...usual, cores: 0.1, memory: null },
    10,
    2,
    20 * gigabyte,
    2,
    'each keeps 0.4 of 2 cores busy',
  ],
  ['little memory', usual, 10, 8, 2 * gigabyte, 3, 'each needs 600 MiB, and 2048 are free'],
  ['a large page', large, 10, 8, 4 * gigabyte, 1, 'each needs 2050 MiB, and 4096 are free'],
  ['very little memory', usual, 10, 8, 100 * megabyte, 1, 'each needs 600 MiB, and 100 are free'],
  ['few shares', usual, 2, 8, 20 * gigabyte, 2, 'one for each of 2 shares'],
  ['one share', usual, 1, 8, 20 * gigabyte, 1, 'one for each of 1 share'],
  ['two seconds of work', short, 10, 8, 20 * gigabyte, 4, 'opening more would hardly be faster'],
  ['two seconds of work on two cores', short, 10, 2, 20 * gigabyte, 1, 'opening more would hardly be faster'],
  [
    'three seconds of work on two cores',
    { ...usual, secondsLeft: 3 },
    10,
    2,
    20 * gigabyte,
    1,
    'opening more would hardly be faster',
  ],
  [
    'a second of work on many cores',
    { ...usual, secondsLeft: 0.9 },
    10,
    16,
    20 * gigabyte,
    1,
    'opening more would hardly be faster',
  ],
  [
    'shaders that each page draws',
    { ...usual, passing: 0.8 },
    10,
    2,
    20 * gigabyte,
    1,
    'opening more would hardly be faster',
  ],
  ['a little WebGL on many cores', { ...usual, passing: 0.1 }, 10, 16, 20 * gigabyte, 10, 'one for each of 10 shares'],
  [
    'many frames to pass',
    { ...usual, secondsToStart: 50 },
    10,
    2,
    20 * gigabyte,
    1,
    'opening more would hardly be faster',
  ],
  [
    'less work than opening a page',
    { ...usual, secondsLeft: 0.3 },
    10,
    8,
    20 * gigabyte,
    1,
    'opening more would hardly be faster',
  ],
])('chooses the number of workers for %s', (_, load, shares, cores, freeMemory, count, reason) => {
  expect(chooseWorkers(load, shares, { cores, freeMemory })).toEqual({ count, reason });
});

test.each([
  [3, 10, 3, 'as requested'],
  [5, 2, 2, 'as many as there are shares (2)'],
])('chooses workers for %d requested and %d shares', (requested, shares, count, reason) => {
  expect(requestedWorkers(requested, shares)).toEqual({ count, reason });
});

const chunks = (count: number, frames: number) =>
  Array.from({ length: count }, (_, index) => ({ index, start: index * frames, end: (index + 1) * frames }));

/** The first frames of the shares of two frames that each worker takes, in turn, if worker 0 takes `before` of them alone. */
function schedule(count: number, frames: number, workers: number, before: number): number[][] {
  const all = chunks(count, frames);
  const scheduler = createShareScheduler(all, splitShares(all, 2));
  const taken: number[][] = Array.from({ length: workers }, () => []);
  const take = (worker: number) => {
    const share = scheduler.take(worker);
    if (share) taken[worker]?.push(share.start);
    return share !== undefined;
  };
  for (let i = 0; i < before; i++) take(0);
  scheduler.split(workers);
  while (taken.map((_, worker) => take(worker)).some((some) => some)) {}
  return taken;
}

test.each([
  ['one worker all shares', 2, 4, 1, 1, [[0, 2, 4, 6]]],
  [
    'workers whole chunks',
    4,
    2,
    2,
    0,
    [
      [0, 2],
      [4, 6],
    ],
  ],
  [
    'workers the shares of one chunk in turn',
    1,
    12,
    2,
    1,
    [
      [0, 2, 6, 10],
      [4, 8],
    ],
  ],
  ['several workers each chunk', 2, 6, 4, 1, [[0, 2, 10], [4], [6], [8]]],
  [
    'the shares of later chunks to a worker without shares',
    3,
    4,
    2,
    2,
    [
      [0, 2, 4, 8],
      [6, 10],
    ],
  ],
])('gives %s', (_, count, frames, workers, before, expected) => {
  expect(schedule(count, frames, workers, before)).toEqual(expected);
});

test('continues with the next share only in the same chunk and if no other worker has taken it', () => {
  const all = chunks(2, 6);
  const scheduler = createShareScheduler(all, splitShares(all, 2));
  const first = scheduler.take(0);
  const second = first && scheduler.takeAfter(0, first);
  scheduler.split(4);
  scheduler.take(1);
  const third = second && scheduler.takeAfter(0, second);
  const last = scheduler.take(0);
  expect([first?.start, second?.start, third?.start, last?.start]).toEqual([0, 2, undefined, 6]);
});
