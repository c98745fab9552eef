// How many pages capture at once, what the report says about it, and which chunks each of them gets.
import { expect, test } from 'vitest';
import { createShares } from '../../renderer-core/render/shares.ts';
import { askedWorkers, checkWorkers, chooseWorkers } from '../../renderer-core/render/workers.ts';

const gigabyte = 2 ** 30;
const megabyte = 2 ** 20;
const usual = { cores: 1.2, memory: 250 * megabyte };
const heavy = { cores: 1.9, memory: 250 * megabyte };
const large = { cores: 1.2, memory: 1700 * megabyte };

test.each([
  ['two small cores', usual, 10, 2, 20 * gigabyte, 2, 'each keeps 1.7 of 2 cores busy'],
  ['eight cores', usual, 10, 8, 20 * gigabyte, 5, 'each keeps 1.7 of 8 cores busy'],
  ['a page that is heavy', heavy, 10, 2, 20 * gigabyte, 1, 'each keeps 2.4 of 2 cores busy'],
  [
    'a page that hardly does anything',
    { cores: 0.1, memory: null },
    10,
    2,
    20 * gigabyte,
    2,
    'each keeps 0.6 of 2 cores busy',
  ],
  ['little memory', usual, 10, 8, 2 * gigabyte, 3, 'each needs 600 MiB, and 2048 are free'],
  ['a page that is large', large, 10, 8, 4 * gigabyte, 1, 'each needs 2050 MiB, and 4096 are free'],
  ['hardly any memory', usual, 10, 8, 100 * megabyte, 1, 'each needs 600 MiB, and 100 are free'],
  ['little to share out', usual, 2, 8, 20 * gigabyte, 2, 'one for each of 2 chunks'],
  ['nothing to share out', usual, 1, 8, 20 * gigabyte, 1, 'one for each of 1 chunk'],
])('%s', (_, load, chunks, cores, freeMemory, count, reason) => {
  expect(chooseWorkers(load, chunks, { cores, freeMemory })).toEqual({ count, reason });
});

test.each([
  [3, 10, 3, 'as asked'],
  [5, 2, 2, 'as many as there are chunks (2)'],
])('asked for %d, with %d chunks', (asked, chunks, count, reason) => {
  expect(askedWorkers(asked, chunks)).toEqual({ count, reason });
});

test.each([0, -1, 1.5, Number.NaN])('%d is no number of workers', (asked) => {
  expect(() => checkWorkers(asked)).toThrow(/number of workers/);
});

/** The chunks that each worker gets when worker 0 has taken `before` of `count` chunks before they are shared out. */
function shares(count: number, workers: number, before: number): number[][] {
  const all = createShares(Array.from({ length: count }, (_, index) => ({ index, start: index, end: index + 1 })));
  const taken: number[][] = Array.from({ length: workers }, () => []);
  const take = (worker: number) => {
    const chunk = all.take(worker);
    if (chunk) taken[worker]?.push(chunk.index);
    return chunk !== undefined;
  };
  for (let i = 0; i < before; i++) take(0);
  all.split(workers);
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
])('%d chunks among %d, when the first has %d already', (count, workers, before, expected) => {
  expect(shares(count, workers, before)).toEqual(expected);
});
