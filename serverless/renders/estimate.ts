// Estimates chunks, time and cost of a render before it is started.
import type { z } from 'zod';
import { chunkCount } from '../../renderer-core/plan/chunks.ts';
import { distributedMapSeconds, isDistributed, taskSeconds } from '../deploy/stateMachine.ts';
import { autoChunkCount } from './autoChunks.ts';
import type { ChunkSettings } from './execution.ts';
import { computeRenderCost, type RenderCost, transitionsOf } from './prices.ts';
import type { estimateSchema, Measured } from './reports.ts';

/** See docs/scale.md for their source. */
export const assumptions = {
  /** Frames per second of a worker with full memory, at 1920x1080. */
  framesPerSecond: 15,
  /** Time until the first frame of a new worker: unpacking the browser, downloading the site, loading the page. */
  coldStartSeconds: 12,
  planSeconds: 10,
  /** Time to join the chunks, including the transfers from and to S3. */
  assembleSeconds: 8,
} as const;

export type Estimate = z.infer<typeof estimateSchema> & {
  cost: RenderCost;
  assumed: Record<keyof typeof assumptions | 'memoryMb', number>;
};

/** `measured`: what the stack has measured, instead of the assumptions. */
export function estimateRender(
  frames: number,
  options: ChunkSettings,
  memoryMb: number,
  measured?: Measured,
): Estimate {
  const chunks = measured && options.auto ? autoChunkCount(frames, measured) : chunkCount(frames, options);
  const assumed = measured ? assumedFrom(measured) : { ...assumptions, memoryMb };
  const framesPerChunk = Math.ceil(frames / chunks);
  const { framesPerSecond, coldStartSeconds, planSeconds, assembleSeconds } = assumed;
  const chunkSeconds = coldStartSeconds + framesPerChunk / framesPerSecond;
  const billed = planSeconds + assembleSeconds + chunks * coldStartSeconds + frames / framesPerSecond;
  const cost = computeRenderCost({
    billedMs: billed * 1000,
    memoryMb: assumed.memoryMb,
    invocations: chunks + 2,
    chunks,
    transitions: transitionsOf(chunks),
  });
  const shareOfLimit = chunkSeconds / taskSeconds;
  const warnings =
    shareOfLimit < 0.8
      ? []
      : [
          `A chunk of ${framesPerChunk} frames is expected to take ${Math.round(chunkSeconds)} s; the limit is ${taskSeconds} s. Increase --max-parallel-chunks, or render on one machine.`,
        ];
  return {
    frames,
    chunks,
    framesPerChunk,
    seconds: planSeconds + (isDistributed(chunks) ? distributedMapSeconds : 0) + chunkSeconds + assembleSeconds,
    shareOfLimit,
    cost,
    assumed,
    warnings,
  };
}

function assumedFrom(measured: Measured): Estimate['assumed'] {
  const { framesPerSecond, coldStartSeconds, planSeconds, assembleSeconds, memoryMb } = measured;
  return { framesPerSecond, coldStartSeconds, planSeconds, assembleSeconds, memoryMb };
}
