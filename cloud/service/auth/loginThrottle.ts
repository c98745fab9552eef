// Guessing made slow: after some attempts in vain, each further one has to wait longer than the one before.

export type AttemptLimits = {
  /** Attempts before there is any wait. */
  free: number;
  /** Seconds after the first attempt beyond, doubled with every further one. */
  firstWait: number;
  longestWait: number;
};

export type Attempts = {
  /** Counts an attempt, and gives the seconds that it has to wait; 0: it may be made. One that has to wait is not counted. */
  begin(key: string): number;
  /** The attempt that was begun was not in vain: it does not count. Those before it still do. */
  succeeded(key: string): void;
};

type Count = { failures: number; freeAt: number; last: number };

/** Held in this process; `now` gives unix milliseconds. */
export function createAttempts({ free, firstWait, longestWait }: AttemptLimits, now: () => number): Attempts {
  const counts = new Map<string, Count>();
  // What is forgotten has waited as long as it can be made to.
  const memory = Math.max(15 * 60, longestWait * 2) * 1000;
  return {
    begin(key) {
      const time = now();
      if (counts.size > 10_000) forgetOld(counts, time - memory);
      const count = counts.get(key);
      const known = count !== undefined && count.last > time - memory ? count : { failures: 0, freeAt: 0, last: 0 };
      if (known.freeAt > time) return Math.ceil((known.freeAt - time) / 1000);
      const failures = known.failures + 1;
      // Counted before it is made, so that many at once count as many.
      const wait = failures < free ? 0 : Math.min(longestWait, firstWait * 2 ** Math.min(30, failures - free));
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

/** Entries are in the order of their last attempt; when none is old, the oldest half goes all the same. */
function forgetOld(counts: Map<string, Count>, before: number): void {
  let over = counts.size - 5_000;
  for (const [key, count] of counts) {
    if (count.last > before && over <= 0) return;
    counts.delete(key);
    over -= 1;
  }
}
