// Waits that grow with guesses in vain, for each key alone.
import { expect, test } from 'vitest';
import { createAttempts } from '../../renderer-core/service/attempts.ts';

function attemptsAt(start = 1_800_000_000_000) {
  const clock = { now: start };
  return { clock, ...createAttempts({ free: 3, firstWait: 2, longestWait: 16 }, () => clock.now) };
}

test('after the free ones, each attempt waits twice as long as the one before', () => {
  const { clock, begin } = attemptsAt();
  expect([begin('a'), begin('a'), begin('a'), begin('a')]).toEqual([0, 0, 0, 2]);
  const waits = [];
  for (let count = 0; count < 5; count += 1) {
    clock.now += 16_000;
    begin('a');
    waits.push(begin('a'));
  }
  expect(waits).toEqual([4, 8, 16, 16, 16]);
});

test('one key does not hold up another', () => {
  const { begin } = attemptsAt();
  for (let count = 0; count < 4; count += 1) begin('a');
  expect([begin('a'), begin('b')]).toEqual([2, 0]);
});

test('attempts that are not in vain do not count, and forgive none that were', () => {
  const { begin, succeeded } = attemptsAt();
  for (let count = 0; count < 20; count += 1) {
    expect(begin('a')).toBe(0);
    succeeded('a');
  }
  begin('a');
  begin('a');
  begin('a');
  succeeded('a');
  expect([begin('a'), begin('a')]).toEqual([0, 2]);
});

test('what is long ago is forgotten', () => {
  const { clock, begin } = attemptsAt();
  for (let count = 0; count < 4; count += 1) begin('a');
  clock.now += 15 * 60 * 1000 + 1;
  expect([begin('a'), begin('a'), begin('a'), begin('a')]).toEqual([0, 0, 0, 2]);
});

test('a flood of keys does not make those wait that are new, nor fill the memory', () => {
  const { begin } = attemptsAt();
  for (let count = 0; count < 30_000; count += 1) expect(begin(`key ${count}`)).toBe(0);
});
