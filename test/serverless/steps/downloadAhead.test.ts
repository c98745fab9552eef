// Which files are downloaded ahead of the one that is needed.
import { expect, test } from 'vitest';
import { downloadAhead } from '../../../serverless/steps/downloadAhead.ts';

test('downloads as many files ahead as fit', async () => {
  const started: number[] = [];
  const ahead = downloadAhead([4, 4, 4, 9, 1], async (index) => void started.push(index), 10);
  expect(started).toEqual([0, 1]);
  await ahead.arrival(0);
  expect(started).toEqual([0, 1]);
  await ahead.arrival(1);
  expect(started).toEqual([0, 1, 2]);
  await ahead.arrival(2);
  expect(started).toEqual([0, 1, 2]);
  await ahead.arrival(3);
  expect(started).toEqual([0, 1, 2, 3, 4]);
});

test('downloads a file that is larger than what may be ahead when it is needed', async () => {
  const started: number[] = [];
  const ahead = downloadAhead([20, 20], async (index) => void started.push(index), 10);
  expect(started).toEqual([0]);
  await ahead.arrival(1);
  expect(started).toEqual([0, 1]);
});

test('reports a failed download where the file is needed', async () => {
  const ahead = downloadAhead([1, 1], async (index) => {
    if (index === 1) throw new Error('no such object');
  });
  await ahead.arrival(0);
  await expect(ahead.arrival(1)).rejects.toThrow('no such object');
  await ahead.ended();
});
