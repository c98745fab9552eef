import { expect, test } from 'vitest';
import { pagesOfWorker } from '../../../../cloud/service/queue/renderRun.ts';

test.each([
  [1, 16, null],
  [2, 16, 8],
  [3, 16, 5],
  [8, 4, 1],
])('%d workers on %d cores capture each video with at most %s pages', (workers, cores, pages) => {
  expect(pagesOfWorker(workers, cores)).toBe(pages);
});
