// The port between pages and encoders: a frame source yields the frames of a composition in order.
import type { FrameInput } from '../media/frameFormat.ts';

/**
 * One captured image, shown for `repeat` frames from `frame` on. `data` is valid until the next one is requested.
 * `same`: it equals the previous one. `passthrough`: footage in it came from its decoder, not through the page.
 */
export type CapturedFrame = { frame: number; repeat: number; data: Uint8Array; same: boolean; passthrough: boolean };

export type FrameSource = {
  input: FrameInput;
  /**
   * Frames `start` to `end - 1`. Sources only move forward: `start` must not be before the end of an earlier call. A source
   * that can continue without a break calls `extend` at the end and continues to the end that it returns.
   */
  frames(start: number, end: number, extend?: () => number): AsyncGenerator<CapturedFrame>;
  close(): Promise<void>;
};
