// How many pages capture at once.
import { UserError } from '../errors.ts';

export type WorkerChoice = { count: number; reason: string };

/** What one more page costs at most, in bytes: a renderer process, its canvas and its half of the ring. */
const memoryPerWorker = 700 * 2 ** 20;

/** A page and its encoder keep this many cores busy while everything moves, and fewer while nothing does. */
const coresPerWorker = 1.7;

export type Machine = { cores: number; freeMemory: number };

/** The number asked for, or what cores and memory allow; never more than there are chunks to share out. */
export function chooseWorkers(asked: number | undefined, chunks: number, machine: Machine): WorkerChoice {
  if (asked !== undefined) {
    if (!Number.isInteger(asked) || asked < 1) {
      throw new UserError('usage', `${asked} is not a number of workers`, {
        hint: 'Use a whole number from 1 up with --workers.',
      });
    }
    const count = Math.min(asked, chunks);
    return { count, reason: count === asked ? 'as asked' : `as many as there are chunks (${chunks})` };
  }
  const byCores = Math.max(1, Math.ceil(machine.cores / coresPerWorker));
  const byMemory = Math.max(1, Math.floor(machine.freeMemory / memoryPerWorker));
  const count = Math.min(byCores, byMemory, chunks);
  if (count === chunks && chunks < byCores)
    return { count, reason: `one for each of ${chunks} ${chunks === 1 ? 'chunk' : 'chunks'}` };
  if (count === byMemory && byMemory < byCores)
    return { count, reason: `${Math.round(machine.freeMemory / 2 ** 20)} MiB of memory are free` };
  return { count, reason: `${machine.cores} cores, shared with the encoders` };
}
