// Computes which frame is played at a time, from the range, the loop and the speed.
import type { FrameRate } from '../../../renderer-core/model/frameGrid.ts';
import { playedFrame, type Range } from '../frames.ts';

export class PlayClock {
  isLooping = true;
  speed = 1;
  private marks: Partial<Range> = {};
  /** The frame and the time (in milliseconds) at which playing has started, or at which an option has changed. */
  private start = { frame: 0, ms: 0 };

  /** The played frames, of `frames` frames. */
  range(frames: number): Range {
    const outFrame = Math.min(this.marks.outFrame ?? frames, frames);
    return { inFrame: Math.min(this.marks.inFrame ?? 0, outFrame - 1), outFrame };
  }

  /** Sets one or both ends of the range. Null: all frames. If the ends cross, the other end is reset. */
  setRange(marks: Partial<Range> | null, frames: number): void {
    this.marks = marks === null ? {} : { ...this.marks, ...marks };
    const { inFrame = 0, outFrame = frames } = this.marks;
    if (outFrame <= inFrame) this.marks = marks?.inFrame === undefined ? { outFrame } : { inFrame };
  }

  startAt(frame: number, nowMs: number): void {
    this.start = { frame, ms: nowMs };
  }

  /** The frame at `nowMs`, and whether playing has ended. */
  frameAt(
    nowMs: number,
    { num, den }: FrameRate,
    frames: number,
    isLooping = this.isLooping,
  ): { frame: number; ended: boolean } {
    const elapsed = Math.floor(((nowMs - this.start.ms) / 1000) * this.speed * (num / den) + 1e-6);
    return playedFrame(this.start.frame, elapsed, this.range(frames), isLooping);
  }
}
