// What goes through the state machine: the input of an execution, and what its tasks are given and give back.
// A history holds 25,000 events of 256 KB, so tasks pass keys of S3 objects to each other, never what is in them.

import type { Resolution } from '../plan/resolution.ts';
import type { Network } from '../project/publicFetch.ts';

/** The whole serialised input of an execution may have so many bytes (contract, "Limits"). */
export const maxInputBytes = 262_144;

/** What a render is asked for; whatever is left out takes the default of a local render. */
export type ServerlessConfig = {
  composition?: string;
  /** `30`, `29.97`, `30000/1001`. */
  fps?: number | string;
  /** Pixels of the result, in the composition's own proportions: one side is enough. */
  width?: number;
  height?: number;
  /** How large the video is; as in a local render. */
  resolution?: Resolution;
  format?: string;
  codec?: string;
  quality?: string;
  /** Refused: HDR is rendered on one machine alone. */
  hdr?: boolean;
  variables?: Record<string, unknown>;
  strictVariables?: boolean;
  /** `public` for projects of strangers: their pages reach the public internet alone. */
  network?: Network;
};

export type ChunkSettings = { chunkSize?: number; targetChunkFrames?: number; maxParallelChunks?: number };

/** One execution, one render. `renderId` is also the name of the execution, so that the same render is started once. */
export type ExecutionInput = {
  version: 1;
  renderId: string;
  bucket: string;
  siteId: string;
  outputKey: string;
  config: ServerlessConfig;
  chunks: ChunkSettings;
};

/** The payload of an invocation: one function does all three steps. */
export type Task =
  | { step: 'plan'; input: ExecutionInput }
  | { step: 'renderChunk'; input: TaskInput; planKey: string; index: number }
  | { step: 'assemble'; input: TaskInput; planKey: string };

/** What the later steps need of the input: the variables are in the plan. */
export type TaskInput = Pick<ExecutionInput, 'version' | 'renderId' | 'bucket' | 'siteId' | 'outputKey'>;

/** `chunks` is what the Map goes through. */
export type PlanResult = { planKey: string; totalFrames: number; chunks: { index: number }[] };

/** `isReused`: it was there already, from an attempt before this one. */
export type ChunkResult = { index: number; frames: number; bytes: number; elapsedMs: number; isReused: boolean };

export type AssembleResult = { outputKey: string; bytes: number; durationSeconds: number; frames: number };

/** Executions are named by their render. */
export const executionArnOf = (stateMachineArn: string, renderId: string): string =>
  `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${renderId}`;
