// Rate limits: a token bucket for each account, or for each address of unauthenticated requests. Buckets are in memory,
// so instances that share a database count separately.
import { ApiError } from './apiErrors.ts';

export type RateLimiter = {
  /** Throws ApiError `rate_limit_exceeded` with the seconds to wait. `key` is an account or an address. */
  take(key: string): void;
};

type Bucket = { tokens: number; at: number };

/** Interval at which full buckets are removed. */
const removeIntervalMs = 10_000;

/** Allows bursts of up to a minute's requests. */
export function createRateLimiter(perMinute: number, now: () => number): RateLimiter {
  const buckets = new Map<string, Bucket>();
  const filled = ({ tokens, at }: Bucket, time: number): number =>
    Math.min(perMinute, tokens + (Math.max(0, time - at) * perMinute) / 60_000);

  let removedAt = now();
  function removeFull(time: number): void {
    if (time - removedAt < removeIntervalMs) return;
    removedAt = time;
    for (const [key, bucket] of buckets) if (filled(bucket, time) >= perMinute) buckets.delete(key);
  }

  return {
    take(key) {
      const time = now();
      const bucket = buckets.get(key);
      const tokens = bucket ? filled(bucket, time) : perMinute;
      if (tokens < 1) {
        const retryAfter = Math.max(1, Math.ceil(((1 - tokens) * 60) / perMinute));
        const message = `Rate limit of ${perMinute} requests per minute exceeded. Try again in ${retryAfter} s.`;
        throw new ApiError('rate_limit_exceeded', message, { retryAfter });
      }
      buckets.set(key, { tokens: tokens - 1, at: time });
      removeFull(time);
    },
  };
}
