// The port between pages and encoders: whoever implements it hands out the frames of a composition, in order.
import type { PictureInput } from '../media/pictures.ts';

/**
 * One picture; it stands for `repeat` frames from `frame` on. `data` is valid until the next one is asked for. `same`:
 * it shows exactly what the frame before it showed. `direct`: footage in it came straight from its decoder.
 */
export type CapturedFrame = { frame: number; repeat: number; data: Uint8Array; same: boolean; direct: boolean };

export type FrameSource = {
  input: PictureInput;
  /** Frames `start` to `end - 1`. A source only moves forward: each call starts where an earlier one ended, or later. */
  frames(start: number, end: number): AsyncGenerator<CapturedFrame>;
  close(): Promise<void>;
};
