// Splits a render into chunks. They partition the frames exactly, so any worker can render them in any order.
import type { RenderPlan } from './renderPlan.ts';

/** Frames `start` to `end - 1`. */
export type Chunk = RenderPlan['chunks'][number];

/** Contract, "Limits": frames per chunk, and chunks of one distributed render. */
export const defaultChunkFrames = 240;
export const defaultMaxParallelChunks = 16;

export type ChunkOptions = { chunkSize?: number; targetChunkFrames?: number; maxParallelChunks?: number };

/** Number of chunks of a distributed render: contract, "Behaviour rules" 11. */
export function chunkCount(totalFrames: number, options: ChunkOptions = {}): number {
  const cap = options.maxParallelChunks ?? defaultMaxParallelChunks;
  const size = options.chunkSize ?? options.targetChunkFrames ?? defaultChunkFrames;
  return Math.min(totalFrames, Math.max(1, Math.min(cap, Math.ceil(totalFrames / size))));
}

/** Splits `totalFrames` into `count` chunks whose lengths differ by at most one frame. */
export function splitFrames(totalFrames: number, count: number): Chunk[] {
  return Array.from({ length: count }, (_, index) => ({
    index,
    start: Math.floor((totalFrames * index) / count),
    end: Math.floor((totalFrames * (index + 1)) / count),
  }));
}
