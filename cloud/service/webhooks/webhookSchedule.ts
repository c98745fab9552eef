// The retry schedule of webhooks.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** In total a little less than 24 hours. */
export const webhookWaits: readonly number[] = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  8 * hour,
];

/**
 * Returns the milliseconds from the end of attempt number `attempts` to the next one, or undefined after the last.
 * `random`, from 0 to 1, shortens the wait by up to a fifth, so that deliveries that failed together are not all
 * retried at once.
 */
export function webhookWait(attempts: number, random: number): number | undefined {
  const wait = webhookWaits[Math.max(attempts, 1) - 1];
  return wait === undefined ? undefined : Math.round(wait * (1 - random / 5));
}
