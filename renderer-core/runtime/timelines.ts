// Seeks the timelines that compositions registered in window.__timelines, each at its own composition's local time.
import { attr } from '../model/attributes.ts';
import { animeTimeline } from './animeAdapter.ts';
import type { Clips } from './clips.ts';
import { instanceAttribute, topInstance } from './page.ts';
import type { Scopes } from './scope.ts';

/** GSAP's interface; any library's timeline may offer it. */
export type Timeline = {
  pause?: () => unknown;
  totalTime?: (seconds: number, suppressEvents?: boolean) => unknown;
  seek?: (seconds: number, suppressEvents?: boolean) => unknown;
  duration?: () => number;
  /** GSAP's own: shows a time even where the timeline believes that it shows it already. */
  render?: (seconds: number, suppressEvents: boolean, force: boolean) => unknown;
};

export type Timelines = {
  /** Call once, when the page's scripts have run. */
  prepare(): void;
  /** Shows every registered timeline at the top-level time `seconds`. */
  seek(seconds: number): void;
  /** Latest finite end of a registered timeline in top-level seconds; 0 when there is none. */
  end(): number;
  /** Whether there is one: what it calls may do anything. */
  any(): boolean;
};

/** Seconds; differences of times that mean the same moment are far smaller. */
const startTolerance = 1e-6;

/**
 * A GSAP timeline that has not moved yet takes a seek to 0 for no change, and would leave out what it sets at 0. A step
 * too small to be one flushes the tweens that GSAP writes lazily.
 */
function showStart(timeline: Timeline): void {
  timeline.render?.(0, false, true);
  timeline.totalTime?.(1e-9, false);
}

export function createTimelines(document: Document, scopes: Scopes, clips: Clips): Timelines {
  const paused = new WeakSet<object>();
  const begun = new WeakSet<object>();
  const anime = new WeakMap<object, Timeline>();

  /** What was registered, as a timeline; null for players of libraries, which have adapters of their own. */
  const timelineOf = (registered: unknown): Timeline | null => {
    if ((typeof registered !== 'object' && typeof registered !== 'function') || registered === null) return null;
    const known = anime.get(registered) ?? animeTimeline(window, registered);
    if (known) anime.set(registered, known);
    const timeline = known ?? (registered as Timeline);
    return timeline.totalTime || timeline.seek ? timeline : null;
  };

  /** The element whose clock a registered id follows: that composition in the instance, else the instance itself. */
  const elementOf = (instanceId: string, compositionId: string): Element | null => {
    const mount = instanceId === topInstance ? null : document.querySelector(`[${instanceAttribute}="${instanceId}"]`);
    return (mount ?? document).querySelector(`[${attr.compositionId}="${CSS.escape(compositionId)}"]`) ?? mount;
  };

  const each = (visit: (timeline: Timeline, origin: number) => void): void => {
    for (const { instanceId, timelines } of scopes.registries()) {
      for (const [compositionId, registered] of Object.entries(timelines)) {
        const timeline = timelineOf(registered);
        const element = elementOf(instanceId, compositionId);
        if (timeline) visit(timeline, element ? clips.origin(element) : 0);
      }
    }
  };

  return {
    any() {
      let found = false;
      each(() => {
        found = true;
      });
      return found;
    },
    prepare() {
      // GSAP takes a long step from frame to frame for a hiccup of the machine, and slows down.
      const { gsap } = document.defaultView as {
        gsap?: { ticker?: { lagSmoothing?: (threshold: number) => unknown } };
      } & Window;
      gsap?.ticker?.lagSmoothing?.(0);
    },
    seek(seconds) {
      each((timeline, origin) => {
        if (!paused.has(timeline)) {
          timeline.pause?.();
          paused.add(timeline);
        }
        const local = Math.max(0, seconds - origin);
        const isFirst = !begun.has(timeline);
        // Before its composition starts a timeline is left alone: what it calls at 0 belongs to that moment.
        if (isFirst && seconds < origin - startTolerance) return;
        begun.add(timeline);
        // Events are not suppressed: counters and text that a composition writes from onUpdate or call() must change.
        try {
          if (isFirst && local < startTolerance && timeline.render) showStart(timeline);
          else if (timeline.totalTime) timeline.totalTime(local, false);
          else timeline.seek?.(local, false);
        } catch (error) {
          // A callback of the author's: reported like any uncaught exception, which ends the render with its place.
          window.reportError(error);
        }
      });
    },
    end() {
      let latest = 0;
      each((timeline, origin) => {
        const duration = timeline.duration?.();
        // GSAP gives endlessly repeating timelines a very large number.
        if (typeof duration === 'number' && Number.isFinite(duration) && duration < 1e6)
          latest = Math.max(latest, origin + duration);
      });
      return latest;
    },
  };
}
