// Waits between attempts grow, vary a little, and add up to less than a day.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { webhookWait, webhookWaits } from '../../../../cloud/service/webhooks/webhookSchedule.ts';

const day = 24 * 60 * 60 * 1000;
const timeout = 15_000;

test('ends the last attempt within a day, but not long before', () => {
  const longest = webhookWaits.reduce((sum, wait) => sum + wait + timeout, timeout);
  expect(longest).toBeLessThanOrEqual(day);
  expect(longest).toBeGreaterThan(day * 0.95);
});

test('never decreases a wait', () => {
  expect([...webhookWaits].sort((a, b) => a - b)).toEqual(webhookWaits);
});

test('shortens a wait by up to a fifth', () => {
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

test('has no wait after the last attempt', () => {
  expect(webhookWait(webhookWaits.length, 0)).toBe(webhookWaits.at(-1));
  expect(webhookWait(webhookWaits.length + 1, 0)).toBeUndefined();
});
