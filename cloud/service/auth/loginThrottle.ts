// Slows down guessing of passwords, codes and tokens: after some failed attempts, each one doubles the wait for the
// next.
import type { LimitCount, OpenLimitCounts } from '../storage/limitCounts.ts';

export type ThrottleLimits = {
  /** Throttles with the same name share their counts. */
  name: string;
  /** Failed attempts without a wait. */
  free: number;
  /** Seconds to wait after that, doubled by every further failure. */
  firstWait: number;
  maxWait: number;
};

export type Throttle = {
  /**
   * Counts an attempt as failed, and returns 0 if it may be made. Otherwise returns the seconds to wait, and does not
   * count it.
   */
  begin(key: string): Promise<number>;
  /** Removes the last counted attempt. Earlier failures still count. */
  succeeded(key: string): Promise<void>;
};

type ThrottleContext = { openCounts: OpenLimitCounts; now(): number };

export function createThrottle({ openCounts, now }: ThrottleContext, limits: ThrottleLimits): Throttle {
  const counts = openCounts(limits.name);
  return {
    // Counted before the attempt is made, so that parallel attempts all count.
    begin: (key) => counts.change(key, (count) => failOnce(limits, count, now())),
    succeeded: (key) => counts.change(key, (count = none) => [takeBack(count), undefined]),
  };
}

const none: LimitCount = { failures: 0, freeAt: 0, last: 0 };

/** The count after a failed attempt, and the seconds to wait if it must not be made yet. */
function failOnce(
  { free, firstWait, maxWait }: ThrottleLimits,
  count: LimitCount | undefined,
  time: number,
): [LimitCount, number] {
  // Longer than any wait, so forgetting a key never shortens one.
  const memoryMs = Math.max(15 * 60, maxWait * 2) * 1000;
  const known = count !== undefined && count.last > time - memoryMs ? count : none;
  if (known.freeAt > time) return [known, Math.ceil((known.freeAt - time) / 1000)];
  const failures = known.failures + 1;
  const wait = failures < free ? 0 : Math.min(maxWait, firstWait * 2 ** Math.min(30, failures - free));
  // 0 and not `time`: the clock of another instance may be a little behind.
  const freeAt = wait === 0 ? 0 : time + wait * 1000;
  return [{ failures, freeAt, last: time }, 0];
}

const takeBack = (count: LimitCount): LimitCount => ({
  ...count,
  failures: Math.max(0, count.failures - 1),
  freeAt: 0,
});

/** A throttle, and the key of the attempt in it. */
export type Counted = readonly [throttle: Throttle, key: string];

/**
 * Counts an attempt in several throttles, and returns 0 if it may be made. Otherwise returns the seconds to wait of the
 * first one that rejects it, and counts the attempt in none: an address that must wait cannot lock other keys.
 */
export async function beginAll(counted: readonly Counted[]): Promise<number> {
  for (const [index, [throttle, key]] of counted.entries()) {
    const wait = await throttle.begin(key);
    if (wait === 0) continue;
    await allSucceeded(counted.slice(0, index));
    return wait;
  }
  return 0;
}

/** Removes the last counted attempt from several throttles. */
export async function allSucceeded(counted: readonly Counted[]): Promise<void> {
  for (const [throttle, key] of counted) await throttle.succeeded(key);
}
