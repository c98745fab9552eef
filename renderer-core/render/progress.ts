// What a render reports while it runs.
import type { RenderEvent } from './renderReport.ts';
import type { ProgressReporter, RenderRequest } from './types.ts';

/** Collects warnings and hands events on. `now`: milliseconds on a clock that only moves forward. */
export function reportProgress(onEvent: RenderRequest['onEvent'], now: () => number): ProgressReporter {
  const warnings: string[] = [];
  const emit = (event: RenderEvent) => {
    if (event.type === 'warning') warnings.push(event.message);
    onEvent?.(event);
  };
  return { now, startedAt: now(), warnings, emit };
}
/** At most ten progress events a second. */
const progressIntervalMs = 100;

/** The speed is measured over this time, so that a slow start does not spoil the estimate for long. */
const speedWindowMs = 3000;

/**
 * There is no estimate before this time has been measured, or this share of the frames. The first frame does not count: the browser
 * loads and compiles for it.
 */
const soundMs = 1500;
const soundShare = 0.2;

type Count = { at: number; done: number };

/** Frames per second, without the wait for the first frame if there are later ones. */
function speedIn(past: readonly Count[]): number {
  const last = past.at(-1);
  const first = past.find((one) => one.done > 0 && one !== last) ?? past[0];
  return first && last ? ((last.done - first.done) / Math.max(1, last.at - first.at)) * 1000 : 0;
}

export type FrameCounter = ReturnType<typeof countFrames>;

/**
 * Counts captured frames and reports them with the current speed. `share`: the share of the render that they are. `after`: the
 * seconds that the rest takes.
 */
export function countFrames(
  total: number,
  { share, after }: { share: number; after: number },
  progress: ProgressReporter,
) {
  const { now, emit } = progress;
  let past = [{ at: now(), done: 0 }];
  let done = 0;
  let first: number | undefined;
  let reportedAt = 0;
  /** When the first frame since the start, or since the last `reset`, was there. */
  let startedAt = 0;
  return {
    add(count: number) {
      const time = now();
      first ??= time;
      done += count;
      if (done === count) startedAt = time;
      if (time - reportedAt < progressIntervalMs && done < total) return;
      reportedAt = time;
      past = [
        ...past.filter(({ at }, index) => time - at < speedWindowMs || index === past.length - 1),
        { at: time, done },
      ];
      const framesPerSecond = speedIn(past);
      const isSound = time - startedAt >= soundMs || done >= soundShare * total;
      const remainingSeconds = isSound && framesPerSecond > 0 ? (total - done) / framesPerSecond + after : null;
      const fraction = total > 0 ? (share * done) / total : 0;
      emit({ type: 'frames', done, total, fraction, framesPerSecond, remainingSeconds });
    },
    reset() {
      done = 0;
      past = [{ at: now(), done: 0 }];
    },
    firstAt: () => first ?? now(),
  };
}
