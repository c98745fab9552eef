// Rate limits: a number of requests per minute for each account, or for each address of unauthenticated requests, in a
// burst or spread.
import { type LimitCounts, memoryCounts, type OpenLimitCounts } from '../storage/limitCounts.ts';
import { ApiError } from './apiErrors.ts';

export type RateLimiter = {
  /** Throws ApiError `rate_limit_exceeded` with the seconds to wait. `key` is an account or an address. */
  take(key: string): Promise<void>;
  /** Counts work that is already done as more requests, which later requests wait for. */
  charge(key: string, requests: number): Promise<void>;
};

export type RateLimit = {
  /** Limits with the same name share their counts. */
  name: string;
  perMinute: number;
};

type RateLimitContext = { openCounts: OpenLimitCounts; now(): number };

const minute = 60_000;
/** Requests at the exact end of their interval must not be rejected because of rounding. */
const rounding = 1;

export function createRateLimiter({ openCounts, now }: RateLimitContext, { name, perMinute }: RateLimit): RateLimiter {
  // Asked first, so that a flood of requests does not reach the database.
  const own = memoryCounts();
  const all = openCounts(name);
  const take = async (counts: LimitCounts, key: string): Promise<void> => {
    const time = now();
    const step = { time, interval: minute / perMinute, latest: time + minute + rounding };
    const wait = await counts.advance(key, step);
    if (wait === 0) return;
    const retryAfter = Math.max(1, Math.ceil((wait - rounding) / 1000));
    const message = `Rate limit of ${perMinute} requests per minute exceeded. Try again in ${retryAfter} s.`;
    throw new ApiError('rate_limit_exceeded', message, { retryAfter });
  };
  return {
    async take(key) {
      await take(own, key);
      await take(all, key);
    },
    async charge(key, requests) {
      const step = { time: now(), interval: (requests * minute) / perMinute, latest: Number.MAX_SAFE_INTEGER };
      if (requests > 0) for (const counts of [own, all]) await counts.advance(key, step);
    },
  };
}
