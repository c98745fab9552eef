// When a webhook that nobody took is tried again.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Together a little less than 24 hours. */
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
 * Milliseconds from the end of the `attempts`th attempt to the next; undefined: that was the last. `random`, from 0 to 1,
 * shortens it by up to a fifth, so that what failed together is not tried again together.
 */
export function webhookWait(attempts: number, random: number): number | undefined {
  const wait = webhookWaits[Math.max(attempts, 1) - 1];
  return wait === undefined ? undefined : Math.round(wait * (1 - random / 5));
}
