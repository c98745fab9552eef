// What a hosted render tells while it runs. Sizes are bytes.
import type { RenderStatus } from './apiTypes.ts';

export type CloudStage = 'check' | 'pack' | 'upload' | 'submit' | 'wait' | 'download';

export type CloudEvent =
  | { type: 'stage'; stage: CloudStage; message: string }
  | { type: 'warning'; message: string }
  /** `total` is null where the length of a download is not told. */
  | { type: 'bytes'; stage: 'upload' | 'download'; done: number; total: number | null }
  | { type: 'submitted'; renderId: string; status: RenderStatus }
  /** After each answer. `progress` runs from 0 to 1. */
  | { type: 'status'; renderId: string; status: RenderStatus; progress: number; elapsedMs: number }
  /** Something failed that may pass; it is tried again. */
  | { type: 'retry'; stage: 'wait' | 'download'; message: string; inMs: number }
  | { type: 'done'; renderId: string; status: RenderStatus; output: string | null };

export type OnCloudEvent = (event: CloudEvent) => void;
