// Slows down guessing of passwords, codes and tokens: after some failed attempts, each one doubles the wait for the
// next.

export type ThrottleLimits = {
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
  begin(key: string): number;
  /** Removes the last counted attempt. Earlier failures still count. */
  succeeded(key: string): void;
};

type Count = { failures: number; freeAt: number; last: number };

/** Counts are kept in this process's memory. `now` returns Unix milliseconds. */
export function createThrottle({ free, firstWait, maxWait }: ThrottleLimits, now: () => number): Throttle {
  const counts = new Map<string, Count>();
  // Longer than any wait, so forgetting a key never shortens one.
  const memoryMs = Math.max(15 * 60, maxWait * 2) * 1000;
  return {
    begin(key) {
      const time = now();
      if (counts.size > 10_000) forgetOld(counts, time - memoryMs);
      const count = counts.get(key);
      const known = count !== undefined && count.last > time - memoryMs ? count : { failures: 0, freeAt: 0, last: 0 };
      if (known.freeAt > time) return Math.ceil((known.freeAt - time) / 1000);
      const failures = known.failures + 1;
      // Counted before the attempt is made, so that parallel attempts all count.
      const wait = failures < free ? 0 : Math.min(maxWait, firstWait * 2 ** Math.min(30, failures - free));
      counts.delete(key);
      counts.set(key, { failures, freeAt: time + wait * 1000, last: time });
      return 0;
    },
    succeeded(key) {
      const count = counts.get(key);
      if (count !== undefined) counts.set(key, { ...count, failures: count.failures - 1, freeAt: 0 });
    },
  };
}

/** A throttle, and the key of the attempt in it. */
export type Counted = readonly [throttle: Throttle, key: string];

/**
 * Counts an attempt in several throttles, and returns 0 if it may be made. Otherwise returns the seconds to wait of the
 * first one that rejects it, and counts the attempt in none: an address that must wait cannot lock other keys.
 */
export function beginAll(counted: readonly Counted[]): number {
  for (const [index, [throttle, key]] of counted.entries()) {
    const wait = throttle.begin(key);
    if (wait === 0) continue;
    allSucceeded(counted.slice(0, index));
    return wait;
  }
  return 0;
}

/** Removes the last counted attempt from several throttles. */
export function allSucceeded(counted: readonly Counted[]): void {
  for (const [throttle, key] of counted) throttle.succeeded(key);
}

/** Entries are ordered by their last attempt. If too few are old, the oldest half is deleted. */
function forgetOld(counts: Map<string, Count>, before: number): void {
  let over = counts.size - 5_000;
  for (const [key, count] of counts) {
    if (count.last > before && over <= 0) return;
    counts.delete(key);
    over -= 1;
  }
}
