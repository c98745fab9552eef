// Assigns the shares of a render to the pages that capture. Pages only move forward and replay the frames that they skip.
import { type Chunk, type Share, splitFrames } from '../../plan/chunks.ts';

/** `lane`: chunks of the same lane are encoded one after another. */
export type LaneShare = Share & { lane: number };

export type ShareScheduler = {
  /** The worker's next share; undefined if none is left for it. */
  take(worker: number): LaneShare | undefined;
  /** Takes the share after `share` if it is the worker's next one and in the same chunk. */
  takeAfter(worker: number, share: LaneShare): LaneShare | undefined;
  /** Divides the remaining shares among `workers`; before that, all belong to worker 0. Call it once. */
  split(workers: number): void;
};

/**
 * Each worker gets a run of neighboring chunks. If there are fewer chunks than workers, several workers capture the shares of
 * one run in turn. A worker without shares helps with later runs.
 */
export function createShareScheduler(chunks: readonly Chunk[], shares: readonly Share[]): ShareScheduler {
  let lanes = [[...shares]];
  let workers = 1;
  const laneOf = (worker: number): number => {
    const own = Math.floor((worker * lanes.length) / workers);
    return lanes.findIndex((lane, index) => index >= own && lane.length > 0);
  };
  const take = (worker: number): LaneShare | undefined => {
    const lane = laneOf(worker);
    const share = lanes[lane]?.shift();
    return share && { ...share, lane };
  };
  return {
    take,
    takeAfter(worker, { chunk, end }) {
      const next = lanes[laneOf(worker)]?.[0];
      return next?.start === end && next.chunk === chunk ? take(worker) : undefined;
    },
    split(count) {
      const left = lanes.flat();
      workers = count;
      lanes = splitFrames(chunks.length, Math.min(count, chunks.length)).map(({ start, end }) =>
        left.filter(({ chunk }) => chunks.indexOf(chunk) >= start && chunks.indexOf(chunk) < end),
      );
    },
  };
}
