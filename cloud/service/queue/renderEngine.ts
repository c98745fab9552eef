// The port to what turns an unpacked project into a video: this process (`renderWorker.ts`) or the serverless stack.
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import type { Engine } from '../../../renderer-core/reports/engine.ts';

export type EngineJob = {
  /** `projectDir` has been checked; the video is written to `output`. */
  request: RenderRequest & { output: string };
  signal: AbortSignal;
  /** Called once the length (in seconds) and the size are known. The render continues when it resolves and fails when it rejects. */
  onPlan(plan: { seconds: number; frames: number; width: number; height: number }): Promise<void>;
  /**
   * `value`: 0 to 1, also reported without a change, to show that the render is alive. `frames`: captured frames, while
   * frames are captured by this process.
   */
  onProgress(value: number, frames?: number): void;
};

/** The finished render; its video is in `output`. */
export type EngineResult = {
  seconds: number;
  frames: number;
  bytes: number;
  /** Frames per second. */
  fps: number;
  width: number;
  height: number;
  engine: Engine;
  warnings: string[];
};

/** Throws UserError for errors in the project, and `TransientError` for those that another attempt may not meet. */
export type RenderEngine = (job: EngineJob) => Promise<EngineResult>;

/** An error that is not caused by the render request: it is worth another attempt. */
export class TransientError extends Error {}

/**
 * Why a worker is stopped, as the reason of its abort signal. `cancel`: the video is not needed any more. `detach`: another
 * process takes the render over, so work that runs elsewhere continues.
 */
export type WorkerStop = 'cancel' | 'detach';
