// The processors and the memory that a function may use for its pages.
import { expect, test } from 'vitest';
import { workerMachine } from '../../../serverless/steps/workerMachine.ts';

const gigabyte = 2 ** 30;

test('counts the share of the processors that AWS gives for the memory', () => {
  const system = { cores: 3, totalMemory: 4 * gigabyte, freeMemory: 3 * gigabyte };
  expect(workerMachine(4096, system).cores).toBeCloseTo(2.32, 2);
});

test('counts no more processors than the system has', () => {
  const system = { cores: 2, totalMemory: 10 * gigabyte, freeMemory: 9 * gigabyte };
  expect(workerMachine(10_240, system).cores).toBe(2);
});

test('subtracts the memory in use from the limit of the function, not from the memory of its machine', () => {
  const system = { cores: 3, totalMemory: 8 * gigabyte, freeMemory: 7 * gigabyte };
  expect(workerMachine(4096, system).freeMemory).toBe(3 * gigabyte);
});

test('has no memory left if more is in use than the function may use', () => {
  const system = { cores: 3, totalMemory: 16 * gigabyte, freeMemory: 9 * gigabyte };
  expect(workerMachine(4096, system).freeMemory).toBe(0);
});
