// Waits grow, differ a little, and end within a day.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { webhookWait, webhookWaits } from '../../renderer-core/service/webhookSchedule.ts';

const day = 24 * 60 * 60 * 1000;
const timeout = 15_000;

test('the last attempt has ended within a day of the first, and is not long before that', () => {
  const longest = webhookWaits.reduce((sum, wait) => sum + wait + timeout, timeout);
  expect(longest).toBeLessThanOrEqual(day);
  expect(longest).toBeGreaterThan(day * 0.95);
});

test('no wait is shorter than the one before it', () => {
  expect([...webhookWaits].sort((a, b) => a - b)).toEqual(webhookWaits);
});

test('a wait is shortened by up to a fifth', () => {
  expect([webhookWait(1, 0), webhookWait(1, 0.5), webhookWait(1, 1)]).toEqual([5000, 4500, 4000]);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: webhookWaits.length }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (n, random) => {
        const wait = webhookWait(n, random) ?? 0;
        const whole = webhookWaits[n - 1] ?? 0;
        expect(wait).toBeLessThanOrEqual(whole);
        expect(wait).toBeGreaterThanOrEqual(whole * 0.8);
      },
    ),
  );
});

test('after the last there is none', () => {
  expect(webhookWait(webhookWaits.length, 0)).toBe(webhookWaits.at(-1));
  expect(webhookWait(webhookWaits.length + 1, 0)).toBeUndefined();
});
