// The port to what makes a video of an unpacked project: pages in the worker's own process, or the serverless stack.
import type { RenderRequest } from '../render/renderVideo.ts';

export type EngineOrder = {
  /** `projectDir` has been checked; `output` is where the video goes. */
  request: RenderRequest & { output: string };
  signal: AbortSignal;
  /** The length is known, in seconds: resolves when the render may go on. What it rejects with ends the render. */
  onPlan(seconds: number): Promise<void>;
  /** 0 to 1; also without a change, as a sign of life. */
  onProgress(value: number): void;
};

/** What became of it; `output` holds the video. */
export type EngineResult = {
  seconds: number;
  frames: number;
  bytes: number;
  /** Frames per second. */
  fps: number;
  width: number;
  height: number;
  warnings: string[];
};

/** Throws UserError for faults of the project, and `PassingFault` for what another attempt may not meet. */
export type RenderEngine = (order: EngineOrder) => Promise<EngineResult>;

/** Nothing is wrong with the order: it is worth another attempt. */
export class PassingFault extends Error {}

/** Why a worker is stopped, as the reason of its signal: a render that `goes on` is taken up by somebody else. */
export type WorkerStop = 'ended' | 'goes on';
