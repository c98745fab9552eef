// Decides whether a worker that has finished its chunk also renders the slowest one, which another worker has begun.
import type { ChunkProgress } from './chunkProgress.ts';
import type { StageTimes } from './stageTimes.ts';
import { taskSeconds } from './stateMachine.ts';

export type RunningChunk = Pick<ChunkProgress, 'frames' | 'framesDone' | 'startedAt' | 'firstFrameAt' | 'updatedAt'>;

/** `waiting`: no worker has begun it, or it failed and starts again. `claimed`: a second worker renders it. */
export type ObservedChunk =
  | { index: number; state: 'waiting' | 'finished' | 'claimed' }
  | { index: number; state: 'running'; progress: RunningChunk };

/** What a worker needed for its own chunk, in milliseconds. */
export type Pace = {
  /** From its start to its first frame. */
  firstFrameMs: number;
  /** The part of it that a warm worker repeats. */
  pageMs: number;
  frameMs: number;
  uploadMs: number;
};

/** `index`: of its own chunk. `msLeft`: until its deadline. */
export type FreeWorker = { index: number; pace: Pace; msLeft: number };

/** Waiting must take this many times as long as a second start, and this much longer. */
const minRatio = 2;
const minGainMs = 10_000;

/** Longer than the ten seconds between two reports. */
const minStallMs = 15_000;

/** A shorter time says too little about the speed. */
const minMeasuredMs = 5000;

/** The chunk to render, if that is cheaper than waiting for its worker. */
export function chunkToStart(
  { index: own, pace, msLeft }: FreeWorker,
  chunks: readonly ObservedChunk[],
  now: number,
): number | undefined {
  // The next chunk needs this worker more.
  if (chunks.some(({ state }) => state === 'waiting')) return undefined;
  const [slowest] = chunks
    .flatMap((chunk) =>
      chunk.state === 'running' && chunk.index !== own
        ? [{ index: chunk.index, waitMs: waitMs(chunk.progress, pace, now), needMs: needMs(chunk.progress, pace) }]
        : [],
    )
    .filter(({ waitMs, needMs }) => waitMs >= minRatio * needMs && waitMs >= needMs + minGainMs)
    .filter(({ needMs }) => minRatio * needMs <= msLeft)
    .sort((a, b) => b.waitMs - a.waitMs);
  return slowest?.index;
}

/** Whether the second worker is slower than the first one, for example because the frames of this chunk are expensive. */
export function isSlower(second: RunningChunk, first: RunningChunk, now: number): boolean {
  const own = remainingMs(second, now);
  const other = remainingMs(first, now);
  return own !== undefined && other !== undefined && now - first.updatedAt < minStallMs && own > other;
}

/** Undefined for a worker that has not rendered its chunk. */
export function paceOf({ stages }: StageTimes, frames: number): Pace | undefined {
  const { site = 0, browser = 0, page = 0, frames: framesMs, upload = 0 } = stages;
  if (framesMs === undefined) return undefined;
  // The time of the first frame belongs to the page.
  const frameMs = framesMs / Math.max(1, frames - 1);
  return { firstFrameMs: site + browser + page, pageMs: page, frameMs, uploadMs: upload };
}

const needMs = ({ frames }: RunningChunk, { pageMs, frameMs, uploadMs }: Pace): number =>
  pageMs + frames * frameMs + uploadMs;

/** How long the chunk is expected to take without a second start. */
function waitMs(chunk: RunningChunk, pace: Pace, now: number): number {
  const usual = chunk.firstFrameAt === null ? pace.firstFrameMs : pace.frameMs;
  const hasStalled = now - chunk.updatedAt >= Math.max(minStallMs, minRatio * usual);
  // A worker that hangs ends at its time limit. Then the chunk starts again.
  if (hasStalled) return Math.max(0, chunk.startedAt + taskSeconds * 1000 - now);
  return remainingMs(chunk, now) ?? 0;
}

/** By its speed so far; undefined while that is unknown. */
function remainingMs({ frames, framesDone, firstFrameAt, updatedAt }: RunningChunk, now: number): number | undefined {
  const measuredMs = firstFrameAt === null ? 0 : updatedAt - firstFrameAt;
  if (measuredMs < minMeasuredMs || framesDone === 0) return undefined;
  const left = ((frames - framesDone) * measuredMs) / framesDone;
  return Math.max(0, left - (now - updatedAt));
}
