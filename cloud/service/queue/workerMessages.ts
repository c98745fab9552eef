// The messages between the service and a worker process. All values are JSON.
import type { Resolution, SizeOptions } from '../../../renderer-core/plan/resolution.ts';
import type { WorkerStop } from './renderEngine.ts';
import type { RenderFailure } from './renderFailure.ts';
import type { StackTarget } from './stackEngine.ts';

/** One render, with everything that the worker needs to know. */
export type WorkerJob = {
  /** The worker's own folder, absolute. It contains `project.zip` unless `projectUrl` is set. */
  folder: string;
  projectUrl: string | null;
  composition: string;
  /** Null: the composition's own. */
  fps: number | null;
  quality: string;
  format: string;
  resolution: string;
  aspectRatio: string | null;
  size: Pick<SizeOptions, 'width' | 'height' | 'fit' | 'background'>;
  variables: Record<string, unknown>;
  strictVariables: boolean;
  /** Whether the project URL and the page may reach private addresses. */
  allowPrivate: boolean;
  /** Number of pages that capture at once; null: chosen from the machine. */
  pages: number | null;
  browserPath: string | null;
  ffmpegPath: string | null;
  /** The serverless stack that renders; null: the worker itself. */
  stack: StackTarget | null;
};

/** `video` and `thumbnail` are names of files in the worker's folder. */
export type WorkerResult = {
  video: string;
  thumbnail: string | null;
  seconds: number;
  bytes: number;
  /** Frames per second of the finished video. */
  fps: number;
  /** Of the finished video, such as `16:9`. */
  aspectRatio: string;
  resolution: Resolution;
  warnings: string[];
};

export type FromWorker =
  /** The length and the size are known; the worker waits for `continue`. */
  | { type: 'planned'; seconds: number; resolution: Resolution }
  /** 0 to 1. Also sent without a change, to show that the worker is alive. */
  | { type: 'progress'; value: number }
  | { type: 'done'; result: WorkerResult }
  /** `detail` is for the log. `isTransient`: another attempt may succeed. */
  | { type: 'failed'; failure: RenderFailure; detail: string; isTransient: boolean };

export type ToWorker = { type: 'start'; job: WorkerJob } | { type: 'continue' } | { type: 'stop'; reason: WorkerStop };
