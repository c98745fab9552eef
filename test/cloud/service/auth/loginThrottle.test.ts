// Waits that grow with failed attempts, separately for each key.
import { expect, test } from 'vitest';
import { allSucceeded, beginAll, type Counted, createThrottle } from '../../../../cloud/service/auth/loginThrottle.ts';
import { memoryCounts } from '../../../../cloud/service/storage/limitCounts.ts';

function attemptsAt(start = 1_800_000_000_000) {
  const clock = { now: start };
  const context = { openCounts: memoryCounts, now: () => clock.now };
  return { clock, ...createThrottle(context, { name: 'guesses', free: 3, firstWait: 2, maxWait: 16 }) };
}

test('doubles the wait after the free attempts', async () => {
  const { clock, begin } = attemptsAt();
  expect([await begin('a'), await begin('a'), await begin('a'), await begin('a')]).toEqual([0, 0, 0, 2]);
  const waits = [];
  for (let count = 0; count < 5; count += 1) {
    clock.now += 16_000;
    await begin('a');
    waits.push(await begin('a'));
  }
  expect(waits).toEqual([4, 8, 16, 16, 16]);
});

test('does not wait because the clock of another instance is behind', async () => {
  const { clock, begin } = attemptsAt();
  await begin('a');
  clock.now -= 200;
  expect(await begin('a')).toBe(0);
});

test('counts keys separately', async () => {
  const { begin } = attemptsAt();
  for (let count = 0; count < 4; count += 1) await begin('a');
  expect([await begin('a'), await begin('b')]).toEqual([2, 0]);
});

test('does not count successful attempts, and keeps earlier failures', async () => {
  const { begin, succeeded } = attemptsAt();
  for (let count = 0; count < 20; count += 1) {
    expect(await begin('a')).toBe(0);
    await succeeded('a');
  }
  await begin('a');
  await begin('a');
  await begin('a');
  await succeeded('a');
  expect([await begin('a'), await begin('a')]).toEqual([0, 2]);
});

test('forgets old failures', async () => {
  const { clock, begin } = attemptsAt();
  for (let count = 0; count < 4; count += 1) await begin('a');
  clock.now += 15 * 60 * 1000 + 1;
  expect([await begin('a'), await begin('a'), await begin('a'), await begin('a')]).toEqual([0, 0, 0, 2]);
});

test('limits memory during a flood of keys without delaying new ones', async () => {
  const { begin } = attemptsAt();
  for (let count = 0; count < 30_000; count += 1) expect(await begin(`key ${count}`)).toBe(0);
});

test('counts an attempt in no throttle if one of them rejects it', async () => {
  const [address, email] = [attemptsAt(), attemptsAt()];
  const attempt = (): Counted[] => [
    [address, 'an address'],
    [email, 'ann@example.com'],
  ];
  for (let count = 0; count < 3; count += 1) await address.begin('an address');
  expect([await beginAll(attempt()), await beginAll(attempt()), await beginAll(attempt())]).toEqual([2, 2, 2]);
  expect([await email.begin('ann@example.com'), await email.begin('ann@example.com')]).toEqual([0, 0]);
  expect([await email.begin('ann@example.com'), await email.begin('ann@example.com')]).toEqual([0, 2]);
  address.clock.now += 2000;
  expect([await beginAll(attempt()), await address.begin('an address')]).toEqual([2, 0]);
});

test('does not count a successful attempt in any throttle', async () => {
  const [one, two] = [attemptsAt(), attemptsAt()];
  const counted: Counted[] = [
    [one, 'a'],
    [two, 'b'],
  ];
  for (let count = 0; count < 9; count += 1) {
    expect(await beginAll(counted)).toBe(0);
    await allSucceeded(counted);
  }
});
