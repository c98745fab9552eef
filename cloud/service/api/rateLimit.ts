// How many requests somebody may make: a bucket of tokens for each account, or for each address without one.
// It is this process's own: instances that share a database each allow as much.
import { ApiError } from './apiErrors.ts';

export type RateLimiter = {
  /** Throws ApiError `rate_limit_exceeded` with the seconds to wait. `who` is an account or an address. */
  take(who: string): void;
};

type Bucket = { tokens: number; at: number };

/** Full buckets need not be kept: they are looked for now and then. */
const forgetMs = 10_000;

/** A minute's requests may come at once; then they come back evenly. */
export function createRateLimiter(perMinute: number, now: () => number): RateLimiter {
  const buckets = new Map<string, Bucket>();
  const filled = ({ tokens, at }: Bucket, time: number): number =>
    Math.min(perMinute, tokens + (Math.max(0, time - at) * perMinute) / 60_000);

  let forgotten = now();
  function forgetFull(time: number): void {
    if (time - forgotten < forgetMs) return;
    forgotten = time;
    for (const [who, bucket] of buckets) if (filled(bucket, time) >= perMinute) buckets.delete(who);
  }

  return {
    take(who) {
      const time = now();
      const bucket = buckets.get(who);
      const tokens = bucket ? filled(bucket, time) : perMinute;
      if (tokens < 1) {
        const retryAfter = Math.max(1, Math.ceil(((1 - tokens) * 60) / perMinute));
        const message = `At most ${perMinute} requests a minute. Try again in ${retryAfter} s.`;
        throw new ApiError('rate_limit_exceeded', message, { retryAfter });
      }
      buckets.set(who, { tokens: tokens - 1, at: time });
      forgetFull(time);
    },
  };
}
