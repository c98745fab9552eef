// Polls a hosted render until it has ended. Temporary errors of the service do not end the wait.
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../renderer-core/errors.ts';
import { getCloudRender } from './accountRenders.ts';
import type { ApiClient, PollClock } from './apiClient.ts';
import type { RenderRecord } from './apiTypes.ts';
import { cancelledWhileWaiting, waitExceeded } from './cloudErrors.ts';
import type { OnCloudEvent } from './cloudEvents.ts';

export type WaitOptions = {
  /** Milliseconds between two status requests. Default 10 s. */
  pollIntervalMs?: number | undefined;
  /** Default 60 minutes. */
  maxWaitMs?: number | undefined;
  signal?: AbortSignal | undefined;
  onEvent?: OnCloudEvent | undefined;
  /** Path of the video, for the command that an error names. */
  output?: string | undefined;
};

export const defaultPollIntervalMs = 10_000;
export const defaultMaxWaitMs = 60 * 60_000;

/** Error codes that may be gone at the next request. */
const temporaryErrors: ReadonlySet<string> = new Set([
  'service_unreachable',
  'service_answer_invalid',
  'internal_error',
  'rate_limit_exceeded',
]);

/** The pause after an error grows up to this, or up to the polling interval if that is longer. */
const maxPauseMs = 60_000;

/**
 * The record of the ended render, `completed` or `failed`. Throws UserError `wait_exceeded`, `cancelled`, and the API's
 * errors that are not temporary.
 */
export async function waitForRender(
  client: ApiClient,
  renderId: string,
  options: WaitOptions,
  { now, random }: PollClock,
): Promise<RenderRecord> {
  const { pollIntervalMs = defaultPollIntervalMs, maxWaitMs = defaultMaxWaitMs, signal, onEvent } = options;
  const startedAt = now();
  const leftMs = () => maxWaitMs - (now() - startedAt);
  let failures = 0;
  let lastError: UserError | undefined;
  for (;;) {
    let pauseMs = pollIntervalMs;
    try {
      const record = await requestStatus(client, renderId, leftMs(), signal);
      lastError = undefined;
      failures = 0;
      if (record) {
        const { status, progress } = record;
        const elapsedMs = Math.round(now() - startedAt);
        onEvent?.({ type: 'status', renderId, status, progress: Number(progress) || 0, elapsedMs });
        if (status === 'completed' || status === 'failed') return record;
      }
    } catch (error) {
      if (signal?.aborted) throw cancelledWhileWaiting(renderId, options.output, error);
      if (!(error instanceof UserError) || !temporaryErrors.has(error.code)) throw error;
      lastError = error;
      // Pauses have jitter, so that many clients do not all return at once when a service recovers.
      const grown = Math.min(pollIntervalMs * 2 ** failures++, Math.max(maxPauseMs, pollIntervalMs));
      pauseMs = grown * (0.5 + random() / 2);
      if (leftMs() > 0) onEvent?.({ type: 'retry', stage: 'wait', message: error.message, inMs: Math.round(pauseMs) });
    }
    if (leftMs() <= 0) throw waitExceeded(renderId, maxWaitMs, options.output, lastError);
    try {
      await sleep(Math.min(pauseMs, Math.max(1, leftMs())), undefined, signal ? { signal } : {});
    } catch (error) {
      throw cancelledWhileWaiting(renderId, options.output, error);
    }
  }
}

/** Also below the longest delay of Node's timers, 24 days. */
const maxRequestMs = 10 * 60_000;
/** The last request is sent when the wait is over, and gets this much extra time. */
const minRequestMs = 5_000;

/** Undefined when the request took longer than the rest of the wait. */
async function requestStatus(client: ApiClient, renderId: string, leftMs: number, signal: AbortSignal | undefined) {
  const timeout = AbortSignal.timeout(Math.ceil(Math.min(Math.max(leftMs, minRequestMs), maxRequestMs)));
  try {
    return await getCloudRender(client, renderId, { signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
  } catch (error) {
    if (!timeout.aborted || signal?.aborted) throw error;
    return undefined;
  }
}
