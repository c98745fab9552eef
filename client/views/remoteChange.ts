// What the state of a render elsewhere means for its entry in the history.
import type { RenderEntry } from '../render/history.ts';
import type { CloudRecord } from './cloudList.ts';

type Change = Partial<Pick<RenderEntry, 'state' | 'percent' | 'endedAt' | 'error'>>;

export function entryChange({ status, progress, completed_at: end, failure_message: failure }: CloudRecord): Change {
  if (status === 'queued' || status === 'rendering') return { percent: Math.round(progress * 100) };
  const endedAt = end === null ? Date.now() : end * 1000;
  if (status === 'completed') return { state: 'completed', endedAt };
  return { state: 'failed', endedAt, ...(failure === null ? {} : { error: failure }) };
}

/** What `framework serverless progress --json` prints, as far as it is read here. Times are ISO 8601. */
export type Execution = Partial<{
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  overallProgress: number;
  errors: { error: string; cause: string }[];
  endedAt: string | null;
}>;

export function executionChange({ status, overallProgress = 0, errors = [], endedAt }: Execution): Change {
  if (status === 'RUNNING' || status === undefined) return { percent: Math.round(overallProgress * 100) };
  const end = { endedAt: endedAt ? Date.parse(endedAt) : Date.now() };
  if (status === 'SUCCEEDED') return { ...end, state: 'completed' };
  if (status === 'ABORTED') return { ...end, state: 'cancelled' };
  const [first] = errors;
  const error = first ? `${first.error}: ${first.cause}` : status;
  return { ...end, state: 'failed', error };
}
