// Progress events of a hosted render. Sizes are bytes.
import type { RenderStatus } from './apiTypes.ts';

export type CloudStage = 'check' | 'pack' | 'upload' | 'submit' | 'wait' | 'download';

export type CloudEvent =
  | { type: 'stage'; stage: CloudStage; message: string }
  | { type: 'warning'; message: string }
  /** `total` is null when the length of a download is unknown. */
  | { type: 'bytes'; stage: 'upload' | 'download'; done: number; total: number | null }
  | { type: 'submitted'; renderId: string; status: RenderStatus }
  /** After each status request. `progress` runs from 0 to 1. */
  | { type: 'status'; renderId: string; status: RenderStatus; progress: number; elapsedMs: number }
  /** A temporary error; the operation is retried. */
  | { type: 'retry'; stage: 'wait' | 'download'; message: string; inMs: number }
  | { type: 'done'; renderId: string; status: RenderStatus; output: string | null };

export type OnCloudEvent = (event: CloudEvent) => void;
