// Ends a wait for chunks that nothing renders any more.
import { UserError } from '../../renderer-core/errors.ts';

const maxMinutes = 60;

/** The returned function throws UserError if it gets the same `state` for an hour. `date`: unix milliseconds. */
export function idleLimit(date: () => number): (state: string) => void {
  let last = { state: '', since: date() };
  return (state) => {
    if (state !== last.state) last = { state, since: date() };
    if (date() - last.since < maxMinutes * 60_000) return;
    throw new UserError('job_incomplete', `The job has made no progress for ${maxMinutes} minutes`, {
      hint: 'Check the processes that render its chunks: framework chunks status <job>.',
    });
  };
}
