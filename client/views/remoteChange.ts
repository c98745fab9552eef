// Converts the state of a remote render to a change of its history entry. `now` is in milliseconds since 1970.
import type { RenderEntry } from '../render/history.ts';
import type { CloudRecord } from './cloudList.ts';

type Change = Partial<Pick<RenderEntry, 'state' | 'percent' | 'endedAt' | 'error'>>;

export function entryChange(
  { status, progress, completed_at: end, failure_message: failure }: CloudRecord,
  now: number,
): Change {
  if (status === 'queued' || status === 'rendering') return { percent: Math.round(progress * 100) };
  const endedAt = end === null ? now : end * 1000;
  if (status === 'completed') return { state: 'completed', endedAt };
  return { state: 'failed', endedAt, ...(failure === null ? {} : { error: failure }) };
}

/** The fields of `framework serverless progress --json` that are used. Times are ISO 8601. */
export type Execution = Partial<{
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  overallProgress: number;
  errors: { error: string; cause: string }[];
  endedAt: string | null;
}>;

export function executionChange({ status, overallProgress = 0, errors = [], endedAt }: Execution, now: number): Change {
  if (status === 'RUNNING' || status === undefined) return { percent: Math.round(overallProgress * 100) };
  const end = { endedAt: endedAt ? Date.parse(endedAt) : now };
  if (status === 'SUCCEEDED') return { ...end, state: 'completed' };
  if (status === 'ABORTED') return { ...end, state: 'cancelled' };
  const [first] = errors;
  const error = first ? `${first.error}: ${first.cause}` : status;
  return { ...end, state: 'failed', error };
}
