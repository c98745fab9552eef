// The number of pages that capture: known from the start, or chosen after the first page has been measured.
import type { Load, MeasuredLoad } from './workers.ts';

/** The load is measured over at least this many frames and this time. */
const measuredFrames = 12;
const measuredMs = 400;

/** Called with the number of frames that the first page has captured; `done`: these were the last. */
export type OnCaptured = (frames: number, done?: boolean) => Promise<void>;

export type FirstPage = {
  /** The number of pages, or a function that chooses it. */
  count: number | ((load: Load) => number);
  /** Frames of all shares. */
  frames: number;
  now(): number;
  measure(): Promise<MeasuredLoad>;
};

/** Calls `decide` once with the number of pages: now if it is known, else after enough frames or the last one. */
export function countWorkers(
  { count, frames: total, now, measure }: FirstPage,
  decide: (count: number) => void,
): OnCaptured {
  if (typeof count === 'number') {
    decide(count);
    return async () => undefined;
  }
  const openedAt = now();
  let captured = 0;
  let decided = false;
  let begun: { load: MeasuredLoad; at: number; captured: number } | undefined;
  return async (frames, done = false) => {
    captured += frames;
    if (decided) return;
    // It begins at the first frame, because a page that opens keeps more cores busy than one that captures.
    begun ??= { load: await measure(), at: now(), captured };
    const seconds = (now() - begun.at) / 1000;
    const measured = captured - begun.captured;
    if (!done && (measured < measuredFrames || 1000 * seconds < measuredMs)) return;
    decided = true;
    const secondsToStart = (begun.at - openedAt) / 1000;
    const secondsLeft = ((total - captured) * seconds) / Math.max(1, measured);
    decide(count({ ...(await begun.load()), secondsToStart, secondsLeft }));
  };
}
