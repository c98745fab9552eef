// When something in a page begins or ends: clips, animations of the browser, and timelines of GSAP.
import type { ShownClip } from '../../page/runtime/control.ts';

type Tween = { startTime(): number; endTime(): number; timeScale(): number; parent?: Tween | null };
type Timeline = Tween & { getChildren?(nested: boolean, tweens: boolean, timelines: boolean): Tween[] };

/** In seconds of the composition. `now`: the time that the page shows. */
export function changeTimes(window: Window & typeof globalThis, clips: readonly ShownClip[], now: number): number[] {
  const ofClips = clips.flatMap(({ start, end }) => [start, ...(end === null ? [] : [end])]);
  const ofAnimations = window.document.getAnimations().flatMap((animation) => {
    const end = Number(animation.effect?.getComputedTiming().endTime);
    const left = (end - Number(animation.currentTime ?? 0)) / 1000 / (animation.playbackRate || 1);
    return Number.isFinite(left) && left > 0 ? [now + left] : [];
  });
  const { __timelines: timelines = {} } = window as { __timelines?: Record<string, Timeline> };
  const ofTimelines = Object.values(timelines).flatMap((timeline) =>
    (timeline.getChildren?.(true, true, false) ?? []).map((tween) => endIn(tween, timeline)),
  );
  return [...new Set([...ofClips, ...ofAnimations, ...ofTimelines])].filter(
    (time) => Number.isFinite(time) && time >= 0,
  );
}

/** When a tween ends, in the time of the timeline that contains it. */
function endIn(tween: Tween, timeline: Timeline): number {
  let time = tween.endTime();
  for (let parent = tween.parent; parent && parent !== timeline; parent = parent.parent)
    time = parent.startTime() + time / parent.timeScale();
  return time;
}
