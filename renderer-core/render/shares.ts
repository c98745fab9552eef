// Which worker captures which chunks: runs of neighbours, because a page only moves forward and replays what it skips.
import { type Chunk, splitFrames } from '../plan/chunks.ts';

export type Shares = {
  /** The worker's next chunk; undefined when it has none left. */
  take(worker: number): Chunk | undefined;
  /** Shares what is left among `workers`; until then everything is worker 0's. Call it once. */
  split(workers: number): void;
};

export function createShares(chunks: readonly Chunk[]): Shares {
  let runs = [{ next: 0, end: chunks.length }];
  return {
    take(worker) {
      const run = runs[worker];
      return run && run.next < run.end ? chunks[run.next++] : undefined;
    },
    split(workers) {
      const taken = runs[0]?.next ?? 0;
      runs = splitFrames(chunks.length, workers).map(({ start, end }) => ({
        next: Math.max(start, taken),
        end: Math.max(end, taken),
      }));
    },
  };
}
