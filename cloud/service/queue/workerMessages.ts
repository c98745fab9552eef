// The messages between the service and a worker process. All values are JSON.
import type { HostLists } from '../../../renderer-core/model/hostPatterns.ts';
import type { Resolution, SizeOptions } from '../../../renderer-core/plan/resolution.ts';
import type { Network } from '../../../renderer-core/project/remote/publicFetch.ts';
import type { Engine } from '../../../renderer-core/reports/engine.ts';
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
  /** What the project URL and the page may reach. */
  network: Network;
  /** The hosts that the page may load files from: the lists of the service and of the account, if there are any. */
  allowHosts: HostLists;
  /** Whether the project URL must use https. */
  secureOnly: boolean;
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
  /** The aspect ratio of the finished video, such as `16:9`. */
  aspectRatio: string;
  resolution: Resolution;
  engine: Engine;
  warnings: string[];
};

/** Maximum numbers of characters, and of warnings. */
export const textLimits = { message: 10_000, detail: 10_000, warnings: 50, warning: 1_000 };

/** The service does not trust them: see `workerCheck`. */
export type FromWorker =
  /** The length and the size are known; the worker waits for `continue`. */
  | { type: 'planned'; seconds: number; frames: number; resolution: Resolution }
  /**
   * `value`: 0 to 1, also sent without a change, to show that the worker is alive. `frames`: how many frames have left their
   * pages, from 0 again if the capture restarts; null in other stages and on the serverless stack.
   */
  | { type: 'progress'; value: number; frames: number | null }
  | { type: 'done'; result: WorkerResult }
  /** `detail` is for the log. */
  | { type: 'failed'; failure: RenderFailure; detail: string };

export type ToWorker = { type: 'start'; job: WorkerJob } | { type: 'continue' } | { type: 'stop'; reason: WorkerStop };
