// Which frames of a video are looked at. Pure.
import { type FrameRate, frameTime } from '../model/frameGrid.ts';

type Video = { frames: number; fps: FrameRate };

/** Between changes, a frame is looked at this often. */
const gridSeconds = 0.5;
/** In longer videos less often. */
const mostOfGrid = 120;
/** Many animations end at many times. */
const mostFrames = 300;

/** A list of frames to look at, to which later ones can be added while it is read. */
export type Schedule = {
  /** The next frame, in order; undefined at the end. */
  next(): number | undefined;
  /** Adds the frames on both sides of changes, given in seconds. */
  add(times: readonly number[]): void;
};

/** `only`: these frames and no others. */
export function createSchedule({ frames, fps }: Video, only?: readonly number[]): Schedule {
  const waiting = new Set(only ?? [...gridFrames(frames, fps), frames - 3, frames - 2, frames - 1]);
  let last = -1;
  let added = 0;
  return {
    next() {
      const frame = Math.min(...[...waiting].filter((one) => one > last && one < frames));
      if (!Number.isFinite(frame)) return undefined;
      waiting.delete(frame);
      last = frame;
      return frame;
    },
    add(times) {
      if (only) return;
      for (const time of times) {
        // The first frame at a time or after it shows the change.
        const frame = Math.ceil((time * fps.num) / fps.den - 1e-6);
        for (const one of [frame - 1, frame]) {
          if (one <= last || one >= frames || waiting.has(one) || added >= mostFrames) continue;
          waiting.add(one);
          added++;
        }
      }
    },
  };
}

function gridFrames(frames: number, fps: FrameRate): number[] {
  const duration = frameTime(frames, fps);
  const step = Math.max(1, (Math.max(gridSeconds, duration / mostOfGrid) * fps.num) / fps.den);
  return Array.from({ length: Math.ceil(frames / step) }, (_, index) => Math.round(index * step));
}
