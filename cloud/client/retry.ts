// Retries of requests: which errors are temporary, how long to wait, and when to give up.
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../renderer-core/errors.ts';

/** Times are in milliseconds. */
export type RetryPolicy = {
  /** Number of attempts, including the first. */
  attempts: number;
  /** The longest delay after the first failure; it doubles with each further failure, up to `longestMs`. */
  firstMs: number;
  longestMs: number;
  /** Limit for the sum of all delays. A request that would exceed it is not retried. */
  totalMs: number;
  /** Returns a number from 0 up to 1. */
  random: () => number;
};

export const defaultRetry: Omit<RetryPolicy, 'random'> = {
  attempts: 4,
  firstMs: 1_000,
  longestMs: 10_000,
  totalMs: 30_000,
};

const retryable = new WeakMap<UserError, { afterMs: number }>();

/** Marks an error as temporary: the same request may succeed after `afterMs`. Returns the error. */
export function markRetryable(error: UserError, afterMs = 0): UserError {
  retryable.set(error, { afterMs });
  return error;
}

/** The shortest delay before a retry; undefined when the error is not temporary. */
export function retryDelayMs(error: unknown): number | undefined {
  return error instanceof UserError ? retryable.get(error)?.afterMs : undefined;
}

/** Retries after temporary errors. The delays are random ("full jitter"), so that clients do not all return at once. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<T> {
  let totalMs = 0;
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      const minDelayMs = retryDelayMs(error);
      if (minDelayMs === undefined || attempts >= policy.attempts) throw error;
      const delayMs = minDelayMs + policy.random() * Math.min(policy.longestMs, policy.firstMs * 2 ** (attempts - 1));
      totalMs += delayMs;
      if (totalMs > policy.totalMs) throw error;
      // Rejects only when the signal aborts.
      await sleep(delayMs, undefined, signal ? { signal } : {}).catch(() => undefined);
      if (signal?.aborted) throw cancelled(signal.reason);
    }
  }
}

/** Parses a Retry-After header, seconds or a date, to milliseconds from `now`; undefined when it is neither. */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

export function cancelled(cause: unknown): UserError {
  return new UserError('cancelled', 'The request was cancelled.', { cause });
}
