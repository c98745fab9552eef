// Seeks the timelines that compositions have registered in window.__timelines, each to its composition's local time.
import { attr } from '../../../model/attributes.ts';
import type { Clips } from '../clipVisibility.ts';
import { describeElement } from '../describeElement.ts';
import { runAndReport } from '../runAndReport.ts';
import { findMount, type Scopes } from '../scope.ts';

/** GSAP's interface. Timelines of other libraries may implement it. */
export type Timeline = {
  pause?: () => unknown;
  totalTime?: (seconds: number, suppressEvents?: boolean) => unknown;
  seek?: (seconds: number, suppressEvents?: boolean) => unknown;
  duration?: () => number;
  /** Only GSAP: its tweens and nested timelines. */
  getChildren?: () => { repeat?(): number; targets?(): unknown[] }[];
  /** Only GSAP: renders a time even if the timeline is already at that time. */
  render?: (seconds: number, suppressEvents: boolean, force: boolean) => unknown;
};

export type Timelines = {
  /** Seeks every registered timeline to the top-level time `seconds`. */
  seek(seconds: number): void;
  /** The latest finite end of a timeline in top-level seconds; 0 if there is none. */
  end(): number;
  /** Describes a part of a timeline that never ends; null if all end. */
  endless(): string | null;
  /** Whether a timeline is registered. Its callbacks may do anything. */
  any(): boolean;
};

/** In seconds. Times that differ by less are equal. */
const startTolerance = 1e-6;

/**
 * A new GSAP timeline ignores a seek to 0 and would not apply the changes at 0. The tiny step after it flushes tweens that
 * GSAP writes lazily.
 */
function showStart(timeline: Timeline): void {
  timeline.render?.(0, false, true);
  timeline.totalTime?.(1e-9, false);
}

/** GSAP reports a very large number for timelines that repeat forever. */
const isFinal = (duration: number): boolean => Number.isFinite(duration) && duration < 1e6;

/** `a tween of <b id="title"> in `, or nothing if it is not known. */
function endlessPart(timeline: Timeline): string {
  const part = timeline.getChildren?.().find((child) => (child.repeat?.() ?? 0) < 0);
  if (!part) return '';
  const [target] = part.targets?.() ?? [];
  if (!part.targets) return 'a timeline in ';
  return target instanceof Element ? `a tween of ${describeElement(target, ['id', 'class'])} in ` : 'a tween in ';
}

/** `adaptTimeline` returns GSAP's interface for objects of another library, or undefined. */
export function createTimelines(
  document: Document,
  scopes: Scopes,
  clips: Clips,
  adaptTimeline: (registered: object) => Timeline | undefined,
): Timelines {
  const paused = new WeakSet<object>();
  const begun = new WeakSet<object>();
  const adapted = new WeakMap<object, Timeline>();

  /** Null for objects that are not timelines, such as players of libraries, which have their own adapters. */
  const timelineOf = (registered: unknown): Timeline | null => {
    if ((typeof registered !== 'object' && typeof registered !== 'function') || registered === null) return null;
    const known = adapted.get(registered) ?? adaptTimeline(registered);
    if (known) adapted.set(registered, known);
    const timeline = known ?? (registered as Timeline);
    return timeline.totalTime || timeline.seek ? timeline : null;
  };

  /** The element whose clock a registered id uses: the composition with that id in the instance, or the instance. */
  const elementOf = (instanceId: string, compositionId: string): Element | null => {
    const mount = findMount(document, instanceId);
    return (mount ?? document).querySelector(`[${attr.compositionId}="${CSS.escape(compositionId)}"]`) ?? mount;
  };

  const each = (visit: (timeline: Timeline, origin: number, id: string) => void): void => {
    for (const { instanceId, timelines } of scopes.registries()) {
      for (const [compositionId, registered] of Object.entries(timelines)) {
        const timeline = timelineOf(registered);
        const element = elementOf(instanceId, compositionId);
        if (timeline) visit(timeline, clips.origin(element), compositionId);
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
    seek(seconds) {
      each((timeline, origin) => {
        if (!paused.has(timeline)) {
          timeline.pause?.();
          paused.add(timeline);
        }
        const local = Math.max(0, seconds - origin);
        const isFirst = !begun.has(timeline);
        // Do not touch a timeline before its composition starts: its callbacks at 0 must run at the start.
        if (isFirst && seconds < origin - startTolerance) return;
        begun.add(timeline);
        // Events are not suppressed, because compositions write counters and text in onUpdate and call().
        runAndReport(() => {
          if (isFirst && local < startTolerance && timeline.render) showStart(timeline);
          else if (timeline.totalTime) timeline.totalTime(local, false);
          else timeline.seek?.(local, false);
        });
      });
    },
    end() {
      let latest = 0;
      each((timeline, origin) => {
        const duration = timeline.duration?.();
        if (typeof duration === 'number' && isFinal(duration)) latest = Math.max(latest, origin + duration);
      });
      return latest;
    },
    endless() {
      let found: string | null = null;
      each((timeline, _, id) => {
        if (!isFinal(timeline.duration?.() ?? 0)) found ??= `${endlessPart(timeline)}the timeline "${id}"`;
      });
      return found;
    },
  };
}
