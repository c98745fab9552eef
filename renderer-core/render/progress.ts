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
  return {
    add(count: number) {
      const time = now();
      first ??= time;
      done += count;
      if (time - reportedAt < progressIntervalMs && done < total) return;
      reportedAt = time;
      past = [
        ...past.filter(({ at }, index) => time - at < speedWindowMs || index === past.length - 1),
        { at: time, done },
      ];
      const since = past[0] ?? { at: time, done };
      const framesPerSecond = ((done - since.done) / Math.max(1, time - since.at)) * 1000;
      const remainingSeconds = framesPerSecond > 0 ? (total - done) / framesPerSecond + after : null;
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
