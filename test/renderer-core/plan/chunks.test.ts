// How a render is cut: the contract's arithmetic, and the law that chunks partition the frames.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkCount, splitFrames } from '../../../renderer-core/plan/chunks.ts';

describe('chunkCount', () => {
  test.each([
    [1, {}, 1],
    [240, {}, 1],
    [241, {}, 2],
    [3841, {}, 16],
    [100_000, {}, 16],
    [300, { chunkSize: 100 }, 3],
    [300, { chunkSize: 100, targetChunkFrames: 10 }, 3],
    [300, { targetChunkFrames: 10 }, 16],
    [300, { targetChunkFrames: 10, maxParallelChunks: 40 }, 30],
    [3, { chunkSize: 1, maxParallelChunks: 16 }, 3],
  ])('splits %d frames with %j into %d chunks', (frames, options, count) =>
    expect(chunkCount(frames, options)).toBe(count));
});

test('splits ten frames into three chunks', () => {
  expect(splitFrames(10, 3)).toEqual([
    { index: 0, start: 0, end: 3 },
    { index: 1, start: 3, end: 6 },
    { index: 2, start: 6, end: 10 },
  ]);
});

test('splits frames into consecutive chunks that differ by at most one frame', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 500 }), (frames, wanted) => {
      const chunks = splitFrames(frames, Math.min(frames, wanted));
      const lengths = chunks.map(({ start, end }) => end - start);
      expect(chunks[0]?.start).toBe(0);
      expect(chunks.at(-1)?.end).toBe(frames);
      for (const [index, chunk] of chunks.entries()) expect(chunk.start).toBe(index === 0 ? 0 : chunks[index - 1]?.end);
      expect(Math.min(...lengths)).toBeGreaterThanOrEqual(1);
      expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
    }),
  );
});
