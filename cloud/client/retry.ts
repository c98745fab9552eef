// Failures that may pass: which those are, how long to wait, and when to stop trying.
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../errors.ts';

/** How patient a request is. Times are milliseconds. */
export type RetryPolicy = {
  /** All tries, the first one too. */
  attempts: number;
  /** The longest wait after the first failure; it doubles with each further one, up to `longestMs`. */
  firstMs: number;
  longestMs: number;
  /** All waits together. A service that asks for more is not waited for. */
  totalMs: number;
  /** From 0 up to 1. */
  random: () => number;
};

export const defaultRetry: RetryPolicy = {
  attempts: 4,
  firstMs: 1_000,
  longestMs: 10_000,
  totalMs: 30_000,
  random: Math.random,
};

const passing = new WeakMap<UserError, { afterMs: number }>();

/** Says of an error that the same request may work later, and after how long at the earliest. Returns the error. */
export function mayPass(error: UserError, afterMs = 0): UserError {
  passing.set(error, { afterMs });
  return error;
}

/** How long to wait at least; undefined: trying again would not help. */
export function passesAfter(error: unknown): number | undefined {
  return error instanceof UserError ? passing.get(error)?.afterMs : undefined;
}

/** Tries again what may pass. The waits are random ("full jitter"), so that many clients do not come back at once. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<T> {
  let waited = 0;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const atLeast = passesAfter(error);
      if (atLeast === undefined || tries >= policy.attempts) throw error;
      const wait = atLeast + policy.random() * Math.min(policy.longestMs, policy.firstMs * 2 ** (tries - 1));
      waited += wait;
      if (waited > policy.totalMs) throw error;
      await sleep(wait, undefined, signal ? { signal } : {}).catch(() => undefined);
      if (signal?.aborted) throw cancelled(signal.reason);
    }
  }
}

/** The header's value, seconds or a date, as milliseconds from `now`; undefined when it is neither. */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

export function cancelled(cause: unknown): UserError {
  return new UserError('cancelled', 'The request was cancelled.', { cause });
}
