// anime.js 4: its engine uses the page's clock. Items that exist when the scripts have run start with their composition.
import type { Clips } from '../../runtime/clipVisibility.ts';
import type { PagePart } from '../../runtime/pagePart.ts';
import type { Adapter } from '../../runtime/time/libraryPlayers.ts';
import type { Timeline } from '../../runtime/time/timelines.ts';

/** A timer, animation or timeline. The engine lists the items that play; a timeline lists its children. */
type Tickable = {
  targets?: unknown[];
  duration: number;
  _head?: Tickable | null;
  _next?: Tickable | null;
  _delay: number;
  /** In the time of the engine's clock, `Date.now`. */
  _startTime: number;
  /** Sets the start time such that the item keeps its current time. */
  resetTime(): void;
};

/** An object that an author registers: a `Tickable` or the result of `waapi.animate`. */
type Registered = { duration: number; _delay?: number; pause(): unknown; seek(time: number): unknown };

/** Every build of anime.js adds itself to `window.AnimeJS`, also when a module imports it. */
type AnimePage = { AnimeJS?: { engine: Engine | null }[] };
type Engine = { _head: Tickable | null; timeUnit: string; _lastTickTime: number; _frameDuration: number };

/** anime.js represents an infinite duration by a number of milliseconds that is at least this large. */
const endless = 1e12;
/** In milliseconds. At exactly 0, an item does not show its state at 0 yet. */
const step = 0.01;

function createAnimeAdapter(page: Window, clips: Clips): Adapter<Tickable> {
  const engines = () => ((page as AnimePage).AnimeJS ?? []).flatMap(({ engine }) => engine ?? []);
  return {
    find: () => engines().flatMap(({ _head }) => chain(_head)),
    origin: (item, host) => clips.origin(firstElement(item) ?? host) * 1000,
    length(item) {
      const length = (item._delay + item.duration) * unit(page);
      return length < endless ? length : null;
    },
    postpone(item, delay) {
      // anime.js starts items 12 ms early, so that the first frame already shows a change.
      item.resetTime();
      item._startTime += delay - step;
      // The engine has already ticked at this time while the scripts ran, and would skip the first frame.
      for (const engine of engines()) engine._lastTickTime = Date.now() - engine._frameDuration;
    },
  };
}

/** Adapts an item of anime.js to GSAP's interface. Returns undefined for other objects. */
function animeTimeline(page: Window, registered: object): Timeline | undefined {
  if (!('iterationDuration' in registered) && !('controlAnimation' in registered)) return undefined;
  const item = registered as object as Registered;
  const seconds = () => unit(page) / 1000;
  let shown: number | undefined;
  return {
    pause: () => item.pause(),
    seek(time) {
      const target = Math.min(Math.max(time / seconds(), step) - (item._delay ?? 0), item.duration);
      // Every seek to the end would call onComplete again.
      if (target !== shown) item.seek(target);
      shown = target;
    },
    duration: () => (item.duration + (item._delay ?? 0)) * seconds(),
  };
}

/** Milliseconds per unit of anime.js's times: authors can switch to seconds. */
function unit(page: Window): number {
  return (page as AnimePage).AnimeJS?.some(({ engine }) => engine?.timeUnit === 's') ? 1000 : 1;
}

function chain(head: Tickable | null | undefined): Tickable[] {
  const items: Tickable[] = [];
  for (let item = head; item; item = item._next) items.push(item);
  return items;
}

/** The first element that an item animates. Items can also animate plain objects, which belong to no element. */
function firstElement(item: Tickable): Element | undefined {
  if (item.targets) return item.targets.find((target): target is Element => target instanceof Element);
  for (const part of chain(item._head)) {
    const element = firstElement(part);
    if (element) return element;
  }
  return undefined;
}

export const animeInPage: PagePart = {
  install: ({ window, clips }) => ({
    adapter: createAnimeAdapter(window, clips),
    timelineOf: (registered) => animeTimeline(window, registered),
  }),
};
