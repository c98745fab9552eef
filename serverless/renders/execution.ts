// Inputs and outputs of the state machine and its tasks. Tasks pass keys of S3 objects instead of their content, because
// the history of an execution is limited to 25,000 events of 256 KB.

import type { ChunkOptions } from '../../renderer-core/plan/chunks.ts';
import type { SizeOptions } from '../../renderer-core/plan/resolution.ts';
import type { Network } from '../../renderer-core/project/remote/publicFetch.ts';
import type { Callback } from '../../webhooks/callback.ts';
import type { StageTimes } from '../steps/stageTimes.ts';

/** Limit of Step Functions for the serialized input of an execution. */
export const maxInputBytes = 262_144;

/** Options of a render. Defaults are those of a local render. */
export type ServerlessConfig = SizeOptions & {
  composition?: string;
  /** `30`, `29.97`, `30000/1001`. */
  fps?: number | string;
  format?: string;
  codec?: string;
  quality?: string;
  /** Must not be true: HDR is only supported by local renders. */
  hdr?: boolean;
  variables?: Record<string, unknown>;
  strictVariables?: boolean;
  /** `public` for untrusted compositions: their pages may connect to public addresses only. */
  network?: Network;
};

/** `auto`: the number that finishes first, by the measurements of the stack; without other settings. */
export type ChunkSettings = ChunkOptions & { auto?: boolean };

/** `renderId` is also the name of the execution, so that a repeated start does not render twice. */
export type ExecutionInput = {
  version: 1;
  renderId: string;
  bucket: string;
  siteId: string;
  outputKey: string;
  config: ServerlessConfig;
  chunks: ChunkSettings;
  /** The webhook at the end of the render. */
  callback?: Callback;
};

/** The payload of an invocation. One function runs all three steps. */
export type Task =
  | { step: 'plan'; input: ExecutionInput }
  | { step: 'renderChunk'; input: TaskInput; planKey: string; index: number }
  | { step: 'assemble'; input: TaskInput; planKey: string };

/** The part of the input that later steps need. The variables are in the plan. */
export type TaskInput = Pick<ExecutionInput, 'version' | 'renderId' | 'bucket' | 'siteId' | 'outputKey'>;

/**
 * Only this is passed to the next states. The inline Map iterates over `chunks`. If there are more than it runs, `chunks` is empty, and
 * the distributed Map reads them from the object `chunksKey`.
 */
export type PlanResult = {
  task: TaskInput;
  planKey: string;
  chunkCount: number;
  chunks: { index: number }[];
  chunksKey: string;
};

/** `isReused`: an earlier attempt has already rendered the chunk. */
export type ChunkResult = { index: number; frames: number; bytes: number; elapsedMs: number; isReused: boolean };

export type AssembleResult = {
  outputKey: string;
  bytes: number;
  durationSeconds: number;
  frames: number;
  times: StageTimes;
};

/** Executions have the name of their render. */
export const executionArnOf = (stateMachineArn: string, renderId: string): string =>
  `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${renderId}`;
