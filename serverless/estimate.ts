// What a render will take before it is started: chunks, time and dollars, with the numbers that they come from.
import { type ChunkOptions, chunkCount } from '../plan/chunks.ts';
import { computeRenderCost, type RenderCost, transitionsOf } from './prices.ts';
import { taskSeconds } from './stateMachine.ts';

/** Where nothing better is known. docs/scale.md says how they were measured. */
export const assumptions = {
  /** Frames that a worker of full size takes in a second, at 1920x1080. */
  framesPerSecond: 15,
  /** Seconds until a new worker takes its first frame: unpacking the browser, fetching the site, loading the page. */
  coldStartSeconds: 12,
  planSeconds: 10,
  /** Seconds for joining, and for each gigabyte to and from S3. */
  assembleSeconds: 8,
} as const;

export type Estimate = {
  frames: number;
  chunks: number;
  framesPerChunk: number;
  /** From start to end, with a free worker for each chunk. */
  seconds: number;
  /** A chunk's share of the time that a worker has. */
  shareOfLimit: number;
  cost: RenderCost;
  assumed: typeof assumptions & { memoryMb: number };
  warnings: string[];
};

export function estimateRender(frames: number, options: ChunkOptions, memoryMb: number): Estimate {
  const chunks = chunkCount(frames, options);
  const framesPerChunk = Math.ceil(frames / chunks);
  const { framesPerSecond, coldStartSeconds, planSeconds, assembleSeconds } = assumptions;
  const chunkSeconds = coldStartSeconds + framesPerChunk / framesPerSecond;
  const billed = planSeconds + assembleSeconds + chunks * coldStartSeconds + frames / framesPerSecond;
  const cost = computeRenderCost({
    billedMs: billed * 1000,
    memoryMb,
    invocations: chunks + 2,
    chunks,
    transitions: transitionsOf(chunks),
  });
  const shareOfLimit = chunkSeconds / taskSeconds;
  const warnings =
    shareOfLimit < 0.8
      ? []
      : [
          `A chunk of ${framesPerChunk} frames is expected to take ${Math.round(chunkSeconds)} s of the ${taskSeconds} s that a worker has. Raise --max-parallel-chunks, or render it on one machine.`,
        ];
  return {
    frames,
    chunks,
    framesPerChunk,
    seconds: planSeconds + chunkSeconds + assembleSeconds,
    shareOfLimit,
    cost,
    assumed: { ...assumptions, memoryMb },
    warnings,
  };
}
