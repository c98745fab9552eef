// The number of capture pages, the reason in the report, and the chunks that each page gets.
import { expect, test } from 'vitest';
import { createChunkScheduler } from '../../../renderer-core/render/captureChunks.ts';
import { checkWorkers, chooseWorkers, requestedWorkers } from '../../../renderer-core/render/workers.ts';

const gigabyte = 2 ** 30;
const megabyte = 2 ** 20;
const usual = { cores: 1.2, memory: 250 * megabyte };
const heavy = { cores: 1.9, memory: 250 * megabyte };
const large = { cores: 1.2, memory: 1700 * megabyte };

test.each([
  ['two small cores', usual, 10, 2, 20 * gigabyte, 2, 'each keeps 1.7 of 2 cores busy'],
  ['eight cores', usual, 10, 8, 20 * gigabyte, 5, 'each keeps 1.7 of 8 cores busy'],
  ['a heavy page', heavy, 10, 2, 20 * gigabyte, 1, 'each keeps 2.4 of 2 cores busy'],
  ['a page with little load', { cores: 0.1, memory: null }, 10, 2, 20 * gigabyte, 2, 'each keeps 0.6 of 2 cores busy'],
  ['little memory', usual, 10, 8, 2 * gigabyte, 3, 'each needs 600 MiB, and 2048 are free'],
  ['a large page', large, 10, 8, 4 * gigabyte, 1, 'each needs 2050 MiB, and 4096 are free'],
  ['very little memory', usual, 10, 8, 100 * megabyte, 1, 'each needs 600 MiB, and 100 are free'],
  ['few chunks', usual, 2, 8, 20 * gigabyte, 2, 'one for each of 2 chunks'],
  ['one chunk', usual, 1, 8, 20 * gigabyte, 1, 'one for each of 1 chunk'],
])('chooses the number of workers for %s', (_, load, chunks, cores, freeMemory, count, reason) => {
  expect(chooseWorkers(load, chunks, { cores, freeMemory })).toEqual({ count, reason });
});

test.each([
  [3, 10, 3, 'as requested'],
  [5, 2, 2, 'as many as there are chunks (2)'],
])('chooses workers for %d requested and %d chunks', (requested, chunks, count, reason) => {
  expect(requestedWorkers(requested, chunks)).toEqual({ count, reason });
});

test.each([0, -1, 1.5, Number.NaN])('rejects %d workers', (requested) => {
  expect(() => checkWorkers(requested)).toThrow(/workers must be a whole number from 1/);
});

/** The chunks that each worker gets if worker 0 takes `before` of `count` chunks before they are divided. */
function schedule(count: number, workers: number, before: number): number[][] {
  const scheduler = createChunkScheduler(
    Array.from({ length: count }, (_, index) => ({ index, start: index, end: index + 1 })),
  );
  const taken: number[][] = Array.from({ length: workers }, () => []);
  const take = (worker: number) => {
    const chunk = scheduler.take(worker);
    if (chunk) taken[worker]?.push(chunk.index);
    return chunk !== undefined;
  };
  for (let i = 0; i < before; i++) take(0);
  scheduler.split(workers);
  for (let worker = 0; worker < workers; worker++) while (take(worker));
  return taken;
}

test.each([
  [6, 1, 1, [[0, 1, 2, 3, 4, 5]]],
  [
    6,
    2,
    1,
    [
      [0, 1, 2],
      [3, 4, 5],
    ],
  ],
  [
    7,
    3,
    0,
    [
      [0, 1],
      [2, 3],
      [4, 5, 6],
    ],
  ],
  [3, 3, 1, [[0], [1], [2]]],
  [3, 3, 2, [[0, 1], [], [2]]],
])('divides %d chunks among %d workers after worker 0 has taken %d', (count, workers, before, expected) => {
  expect(schedule(count, workers, before)).toEqual(expected);
});
