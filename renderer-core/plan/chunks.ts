// Splits a render into chunks. They partition the frames exactly, so any worker can render them in any order.
import type { RenderPlan } from './renderPlan.ts';

/** Frames `start` to `end - 1`. */
export type Chunk = RenderPlan['chunks'][number];

/** Frames of a chunk that one page captures without a break. Several pages can capture one chunk. */
export type Share = { chunk: Chunk; start: number; end: number };

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

/** Splits `totalFrames` into chunks of `length` frames. The last one may be shorter. */
export function splitEvery(totalFrames: number, length: number): Chunk[] {
  return Array.from({ length: Math.ceil(totalFrames / length) }, (_, index) => ({
    index,
    start: index * length,
    end: Math.min(totalFrames, (index + 1) * length),
  }));
}

/** Splits each chunk into shares of at most `maxFrames`. They do not depend on the number of pages. */
export function splitShares(chunks: readonly Chunk[], maxFrames: number): Share[] {
  return chunks.flatMap((chunk) => {
    const frames = chunk.end - chunk.start;
    const parts = splitFrames(frames, Math.max(1, Math.ceil(frames / maxFrames)));
    return parts.map(({ start, end }) => ({ chunk, start: chunk.start + start, end: chunk.start + end }));
  });
}
