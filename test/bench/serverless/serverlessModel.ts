// A model of a serverless render: how long it takes and what it costs, from stage times that were measured on one machine.
import { splitFrames } from '../../../renderer-core/plan/chunks.ts';
import { distributedMapSeconds, isDistributed } from '../../../serverless/deploy/stateMachine.ts';
import { computeRenderCost, transitionsOf } from '../../../serverless/renders/prices.ts';

/** Seconds that were measured here. */
export type StageSeconds = {
  /** The plan step on a new worker, with the start of its process. */
  plan: number;
  /** Until the first frame of chunk 0 on a new worker, with the start of its process. */
  firstFrame: number;
  /** For each frame before a chunk: its page passes them without painting, unless it is a function of time. */
  passedFrame: number;
  /** For each frame of a chunk, with drawing and encoding. */
  frame: number;
  /** The assemble step on a worker that has rendered a chunk. */
  assemble: number;
};

/** What was not measured, in seconds: this and the time of a distributed Map. */
export const assumedOfAws = {
  /** Until a new worker runs the first line of the function: AWS loads 154 MB of code. Assumption without a source. */
  workerStart: 2,
  /** A state transition on the way from the start to the end. Assumption without a source. */
  transition: 0.1,
  /** Bytes per second in each direction: 600 Mbit/s. */
  bandwidth: 75e6,
} as const;

export type ModelledVideo = { frames: number; chunks: number; bytes: number; memoryMb: number; stages: StageSeconds };

/** `workerSeconds` are billed. `passing`: their share that passes frames of earlier chunks. */
export type ModelledRender = { seconds: number; workerSeconds: number; passing: number; usd: number };

/** States that follow each other: the start, Plan, CountChunks, the Map, a chunk, Assemble and the end. */
const statesInOrder = 7;

/** Every chunk has a free worker at once, and no other render runs. */
export function modelRender({ frames, chunks, bytes, memoryMb, stages }: ModelledVideo): ModelledRender {
  const { workerStart, transition, bandwidth } = assumedOfAws;
  const parts = splitFrames(frames, chunks).map(({ start, end }) => {
    const passing = start * stages.passedFrame;
    return { passing, seconds: workerStart + stages.firstFrame + passing + (end - start) * stages.frame };
  });
  const plan = workerStart + stages.plan;
  // The estimate as if downloading, joining and uploading did not overlap at all.
  const assemble = stages.assemble + bytes / bandwidth;
  const states = statesInOrder * transition + (isDistributed(chunks) ? distributedMapSeconds : 0);
  const workerSeconds = plan + sum(parts.map(({ seconds }) => seconds)) + assemble;
  const { usd } = computeRenderCost({
    billedMs: workerSeconds * 1000,
    memoryMb,
    invocations: chunks + 2,
    chunks,
    transitions: transitionsOf(chunks),
  });
  return {
    seconds: states + plan + Math.max(...parts.map(({ seconds }) => seconds)) + assemble,
    workerSeconds,
    passing: sum(parts.map(({ passing }) => passing)) / workerSeconds,
    usd,
  };
}

/** The stages on a processor that is `times` as slow. */
export function slowed(stages: StageSeconds, times: number): StageSeconds {
  const { plan, firstFrame, passedFrame, frame, assemble } = stages;
  return {
    plan: plan * times,
    firstFrame: firstFrame * times,
    passedFrame: passedFrame * times,
    frame: frame * times,
    assemble: assemble * times,
  };
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
