// How many pages capture at once, and what the report says about it.
import { expect, test } from 'vitest';
import { chooseWorkers } from '../../renderer-core/render/workers.ts';

const gigabyte = 2 ** 30;

test.each([
  [undefined, 10, { cores: 2, freeMemory: 20 * gigabyte }, 2, '2 cores, shared with the encoders'],
  [undefined, 10, { cores: 8, freeMemory: 20 * gigabyte }, 5, '8 cores, shared with the encoders'],
  [undefined, 1, { cores: 8, freeMemory: 20 * gigabyte }, 1, 'one for each of 1 chunk'],
  [undefined, 10, { cores: 8, freeMemory: gigabyte }, 1, '1024 MiB of memory are free'],
  [3, 10, { cores: 2, freeMemory: gigabyte }, 3, 'as asked'],
  [5, 2, { cores: 2, freeMemory: gigabyte }, 2, 'as many as there are chunks (2)'],
])('asked for %s, with %d chunks on %j: %d', (asked, chunks, machine, count, reason) => {
  expect(chooseWorkers(asked, chunks, machine)).toEqual({ count, reason });
});

test.each([0, -1, 1.5, Number.NaN])('%d is no number of workers', (asked) => {
  expect(() => chooseWorkers(asked, 10, { cores: 2, freeMemory: gigabyte })).toThrow(/number of workers/);
});
