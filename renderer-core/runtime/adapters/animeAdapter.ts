// anime.js 4: its engine follows the page's clock by itself. What plays when the scripts have run begins with its composition.
import type { Clips } from './clips.ts';
import type { Adapter } from './players.ts';
import type { Timeline } from './timelines.ts';

/** A timer, animation or timeline. The engine lists what plays, a timeline its parts. */
type Tickable = {
  targets?: unknown[];
  duration: number;
  _head?: Tickable | null;
  _next?: Tickable | null;
  _delay: number;
  /** On the clock of the engine, which is `Date.now`. */
  _startTime: number;
  /** Takes the present time of the item for the one at which it is now. */
  resetTime(): void;
};

/** What an author registers: one of those, or what `waapi.animate` returns. */
type Registered = { duration: number; _delay?: number; pause(): unknown; seek(time: number): unknown };

/** Every build of anime.js puts itself into `window.AnimeJS`, also one that a module imports. */
type AnimePage = { AnimeJS?: { engine: Engine | null }[] };
type Engine = { _head: Tickable | null; timeUnit: string; _lastTickTime: number; _frameDuration: number };

/** anime.js stands for "without end" by a number of milliseconds this large. */
const endless = 1e12;
/** At exactly 0 an item does not do yet what it does at 0. In milliseconds. */
const step = 0.01;

export function createAnimeAdapter(page: Window, clips: Clips): Adapter<Tickable> {
  const engines = () => ((page as AnimePage).AnimeJS ?? []).flatMap(({ engine }) => engine ?? []);
  return {
    find: () => engines().flatMap(({ _head }) => chain(_head)),
    origin(item, host) {
      const element = firstElement(item) ?? host;
      return element ? clips.origin(element) * 1000 : 0;
    },
    length(item) {
      const length = (item._delay + item.duration) * unit(page);
      return length < endless ? length : null;
    },
    postpone(item, delay) {
      // anime.js lets an item begin 12 ms ahead, so that its first frame already shows a change.
      item.resetTime();
      item._startTime += delay - step;
      // The engine has made its step for this moment when the scripts ran, and would leave out the first frame.
      for (const engine of engines()) engine._lastTickTime = Date.now() - engine._frameDuration;
    },
  };
}

/** GSAP's interface over one of anime.js's; undefined for anything else. */
export function animeTimeline(page: Window, registered: object): Timeline | undefined {
  if (!('iterationDuration' in registered) && !('controlAnimation' in registered)) return undefined;
  const item = registered as object as Registered;
  const seconds = () => unit(page) / 1000;
  let shown: number | undefined;
  return {
    pause: () => item.pause(),
    seek(time) {
      const target = Math.min(Math.max(time / seconds(), step) - (item._delay ?? 0), item.duration);
      // Each seek to the end would call onComplete.
      if (target !== shown) item.seek(target);
      shown = target;
    },
    duration: () => (item.duration + (item._delay ?? 0)) * seconds(),
  };
}

/** Milliseconds in one unit of anime.js's times: an author may have chosen seconds. */
function unit(page: Window): number {
  return (page as AnimePage).AnimeJS?.some(({ engine }) => engine?.timeUnit === 's') ? 1000 : 1;
}

function chain(head: Tickable | null | undefined): Tickable[] {
  const items: Tickable[] = [];
  for (let item = head; item; item = item._next) items.push(item);
  return items;
}

/** What an item animates first; objects of the author's say nothing about where they belong. */
function firstElement(item: Tickable): Element | undefined {
  if (item.targets) return item.targets.find((target): target is Element => target instanceof Element);
  for (const part of chain(item._head)) {
    const element = firstElement(part);
    if (element) return element;
  }
  return undefined;
}
