// Waits that grow with failed attempts, separately for each key.
import { expect, test } from 'vitest';
import { allSucceeded, beginAll, type Counted, createThrottle } from '../../../../cloud/service/auth/loginThrottle.ts';

function attemptsAt(start = 1_800_000_000_000) {
  const clock = { now: start };
  return { clock, ...createThrottle({ free: 3, firstWait: 2, maxWait: 16 }, () => clock.now) };
}

test('doubles the wait after the free attempts', () => {
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

test('counts keys separately', () => {
  const { begin } = attemptsAt();
  for (let count = 0; count < 4; count += 1) begin('a');
  expect([begin('a'), begin('b')]).toEqual([2, 0]);
});

test('does not count successful attempts, and keeps earlier failures', () => {
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

test('forgets old failures', () => {
  const { clock, begin } = attemptsAt();
  for (let count = 0; count < 4; count += 1) begin('a');
  clock.now += 15 * 60 * 1000 + 1;
  expect([begin('a'), begin('a'), begin('a'), begin('a')]).toEqual([0, 0, 0, 2]);
});

test('limits memory during a flood of keys without delaying new ones', () => {
  const { begin } = attemptsAt();
  for (let count = 0; count < 30_000; count += 1) expect(begin(`key ${count}`)).toBe(0);
});

test('counts an attempt in no throttle if one of them rejects it', () => {
  const [address, email] = [attemptsAt(), attemptsAt()];
  const attempt = (): Counted[] => [
    [address, 'an address'],
    [email, 'ann@example.com'],
  ];
  for (let count = 0; count < 3; count += 1) address.begin('an address');
  expect([beginAll(attempt()), beginAll(attempt()), beginAll(attempt())]).toEqual([2, 2, 2]);
  expect([email.begin('ann@example.com'), email.begin('ann@example.com')]).toEqual([0, 0]);
  expect([email.begin('ann@example.com'), email.begin('ann@example.com')]).toEqual([0, 2]);
  address.clock.now += 2000;
  expect([beginAll(attempt()), address.begin('an address')]).toEqual([2, 0]);
});

test('does not count a successful attempt in any throttle', () => {
  const [one, two] = [attemptsAt(), attemptsAt()];
  const counted: Counted[] = [
    [one, 'a'],
    [two, 'b'],
  ];
  for (let count = 0; count < 9; count += 1) {
    expect(beginAll(counted)).toBe(0);
    allSucceeded(counted);
  }
});
