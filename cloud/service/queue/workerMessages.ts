// What the service and a worker process say to each other. All values are JSON.
import type { WorkerStop } from './renderEngine.ts';
import type { RenderFailure } from './renderFailure.ts';
import type { StackOrder } from './stackEngine.ts';

/** One render: everything that the worker is told. */
export type WorkerJob = {
  /** The worker's own folder, absolute; it has `project.zip` in it unless the project has a URL. */
  folder: string;
  projectUrl: string | null;
  composition: string;
  /** Null: the composition's own. */
  fps: number | null;
  quality: string;
  format: string;
  resolution: string;
  aspectRatio: string | null;
  variables: Record<string, unknown>;
  strictVariables: boolean;
  /** Whether the project and its page may reach private addresses. */
  allowPrivate: boolean;
  /** Pages at once; null: chosen from the machine. */
  pages: number | null;
  browserPath: string | null;
  ffmpegPath: string | null;
  /** Where it is rendered; null: by the worker itself. */
  stack: StackOrder | null;
};

/** Names of files in the worker's folder. */
export type WorkerResult = {
  video: string;
  thumbnail: string | null;
  seconds: number;
  bytes: number;
  /** As rendered: frames per second, and the shape such as `16:9`. */
  fps: number;
  aspectRatio: string;
  warnings: string[];
};

export type FromWorker =
  /** The length is known; the worker goes on at `go`. */
  | { type: 'planned'; seconds: number }
  /** 0 to 1; also without a change, as a sign of life. */
  | { type: 'progress'; value: number }
  | { type: 'done'; result: WorkerResult }
  /** `detail` is for the log. `mayPass`: another attempt may do better. */
  | { type: 'failed'; failure: RenderFailure; detail: string; mayPass: boolean };

export type ToWorker = { type: 'start'; job: WorkerJob } | { type: 'go' } | { type: 'stop'; reason: WorkerStop };
