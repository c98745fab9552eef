// Waits until a hosted render has ended, through whatever goes wrong on the way and passes.
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../errors.ts';
import type { ApiClient } from './apiClient.ts';
import type { RenderRecord } from './apiTypes.ts';
import { cancelled, waitExceeded } from './cloudErrors.ts';
import type { OnCloudEvent } from './events.ts';
import { getCloudRender } from './renders.ts';

export type WaitOptions = {
  /** 10 s without it. */
  pollIntervalMs?: number | undefined;
  /** 60 minutes without it. */
  maxWaitMs?: number | undefined;
  signal?: AbortSignal | undefined;
  onEvent?: OnCloudEvent | undefined;
  /** Where the video is wanted, for the command that an error names. */
  output?: string | undefined;
};

export const defaultPollIntervalMs = 10_000;
export const defaultMaxWaitMs = 60 * 60_000;

/** Answers that may be others in a moment. */
const passing: ReadonlySet<string> = new Set([
  'service_unreachable',
  'service_answer_invalid',
  'internal_error',
  'rate_limit_exceeded',
]);

/** No pause between attempts grows longer than this, or than the interval. */
const longestPauseMs = 60_000;

/** The record of the end, `completed` or `failed`. Throws UserError `wait_exceeded`, `cancelled`, and lasting faults of the API. */
export async function waitForRender(
  client: ApiClient,
  renderId: string,
  options: WaitOptions = {},
): Promise<RenderRecord> {
  const { pollIntervalMs = defaultPollIntervalMs, maxWaitMs = defaultMaxWaitMs, signal, onEvent } = options;
  const begun = performance.now();
  const leftMs = () => maxWaitMs - (performance.now() - begun);
  let failures = 0;
  let trouble: UserError | undefined;
  for (;;) {
    let pauseMs = pollIntervalMs;
    try {
      const record = await ask(client, renderId, leftMs(), signal);
      trouble = undefined;
      failures = 0;
      if (record) {
        const { status, progress } = record;
        const elapsedMs = Math.round(performance.now() - begun);
        onEvent?.({ type: 'status', renderId, status, progress: Number(progress) || 0, elapsedMs });
        if (status === 'completed' || status === 'failed') return record;
      }
    } catch (error) {
      if (signal?.aborted) throw cancelled(renderId, options.output, error);
      if (!(error instanceof UserError) || !passing.has(error.code)) throw error;
      trouble = error;
      // With jitter: many clients of a service that comes back must not come back together.
      const grown = Math.min(pollIntervalMs * 2 ** failures++, Math.max(longestPauseMs, pollIntervalMs));
      pauseMs = grown * (0.5 + Math.random() / 2);
      if (leftMs() > 0) onEvent?.({ type: 'retry', stage: 'wait', message: error.message, inMs: Math.round(pauseMs) });
    }
    if (leftMs() <= 0) throw waitExceeded(renderId, maxWaitMs, options.output, trouble);
    try {
      await sleep(Math.min(pauseMs, Math.max(1, leftMs())), undefined, signal ? { signal } : {});
    } catch (error) {
      throw cancelled(renderId, options.output, error);
    }
  }
}

/** No timer of Node's counts further than 24 days, and no answer takes this long. */
const longestQuestionMs = 10 * 60_000;
/** The last look happens when the wait is over: it gets this much time of its own. */
const lastQuestionMs = 5_000;

/** One question, which does not outlast the wait by much; undefined when it had to be given up. */
async function ask(client: ApiClient, renderId: string, leftMs: number, signal: AbortSignal | undefined) {
  const late = AbortSignal.timeout(Math.ceil(Math.min(Math.max(leftMs, lastQuestionMs), longestQuestionMs)));
  try {
    return await getCloudRender(client, renderId, { signal: signal ? AbortSignal.any([signal, late]) : late });
  } catch (error) {
    if (!late.aborted || signal?.aborted) throw error;
    return undefined;
  }
}
