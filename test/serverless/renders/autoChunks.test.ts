// The number of chunks by what a stack has measured.
import { expect, test } from 'vitest';
import { autoChunkCount } from '../../../serverless/renders/autoChunks.ts';
import type { Measured } from '../../../serverless/renders/reports.ts';

const measured: Measured = {
  measuredAt: '2026-01-01T00:00:00.000Z',
  memoryMb: 4096,
  chunksAtOnce: 40,
  capturePath: 'paint',
  framesPerSecond: 20,
  coldStartSeconds: 8,
  planSeconds: 5,
  assembleSeconds: 2,
};

test.each<[frames: number, given: Partial<Measured>, chunks: number, why: string]>([
  [30, {}, 1, '9.5 s; 8.75 s with 2 chunks'],
  [60, {}, 2, '9.5 s with 30 frames each; 8.75 s with 4 chunks'],
  [20, {}, 1, 'two chunks would be shorter than 15 frames'],
  [300, {}, 10, '9.5 s with 30 frames each; 8.75 s with 20 chunks'],
  [3600, {}, 32, '13.65 s with 113 frames each; 12.5 s with 40 chunks'],
  [108_000, {}, 37, '154 s with 2919 frames each; 143 s with 40 chunks'],
  [108_000, { chunksAtOnce: 200 }, 174, '46.05 s with 621 frames each; 42 s with 200 chunks and the distributed Map'],
  [3600, { chunksAtOnce: 200 }, 32, '13.65 s with 113 frames each; 15.9 s with 200 chunks and the distributed Map'],
  [108_000, { chunksAtOnce: 5 }, 5, 'more chunks would wait for workers'],
  [3600, { framesPerSecond: 400 }, 9, 'fast workers: 9 s with 400 frames each; 8.2 s with 40 chunks'],
])('chooses the number of chunks for %i frames', (frames, given, chunks) => {
  expect(autoChunkCount(frames, { ...measured, ...given })).toBe(chunks);
});
