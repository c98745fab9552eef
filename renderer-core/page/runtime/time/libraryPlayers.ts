// Animation libraries that play without registration: their players are found automatically and start with the composition
// or clip that contains them.
import { runAndReport } from '../runAndReport.ts';

/** One library. Its items are the objects that play: animations, timelines or players. Times are in milliseconds. */
export type Adapter<Item extends object = object> = {
  /** The items that scripts have created and that have not ended. Called in every frame. */
  find(): Iterable<Item>;
  /** Top-level time at which the item starts. `host` is the mount whose script created it, or null for the page's scripts. */
  origin(item: Item, host: Element | null): number;
  /** Duration of the item; null if it does not end. */
  length(item: Item): number | null;
  /** Whether the item is still loading files. */
  isLoading?(item: Item): boolean;
  /** For libraries that use the page's clock: delays the start of the item by `delay`. Called once, at time 0. */
  postpone?(item: Item, delay: number): void;
  /** For libraries that do not use the page's clock. */
  isPlaying?(item: Item): boolean;
  /** For libraries that do not use the page's clock: plays the item for another `elapsed` milliseconds. */
  advance?(item: Item, elapsed: number): void;
};

export type LibraryPlayers = {
  /** Call after a script of the mount `host` has run: assigns new items to the mount. */
  claim(host: Element | null): void;
  isLoading(): boolean;
  /** Call once, after the page's scripts have run. Items start with their composition or clip. */
  begin(): void;
  /** Moves all items to `ms` of the top-level time. Call after the page's clock has moved. */
  advance(ms: number): void;
  /** The latest end of an item in milliseconds of the top-level time; 0 if there is none. */
  end(): number;
};

export function createLibraryPlayers(adapters: readonly Adapter[]): LibraryPlayers {
  const hosts = new WeakMap<object, Element>();
  const origins = new WeakMap<object, number>();
  /** Items that were playing at the previous time. Items that were created or started later have not played yet. */
  const playing = new WeakSet<object>();
  let last = 0;

  const each = (visit: (item: object, adapter: Adapter) => void): void => {
    for (const adapter of adapters) for (const item of [...adapter.find()]) visit(item, adapter);
  };
  const note = (item: object, adapter: Adapter): void => {
    if (adapter.isPlaying?.(item)) playing.add(item);
    else playing.delete(item);
  };
  const step = (item: object, adapter: Adapter, ms: number): void => {
    const origin = origins.get(item) ?? 0;
    adapter.advance?.(item, playing.has(item) ? Math.max(ms, origin) - Math.max(last, origin) : 0);
    note(item, adapter);
  };

  return {
    claim(host) {
      each((item) => {
        if (host && !hosts.has(item)) hosts.set(item, host);
      });
    },
    isLoading() {
      let isLoading = false;
      each((item, adapter) => {
        if (adapter.isLoading?.(item)) isLoading = true;
      });
      return isLoading;
    },
    begin() {
      each((item, adapter) => {
        const origin = adapter.origin(item, hosts.get(item) ?? null);
        origins.set(item, origin);
        adapter.postpone?.(item, origin);
        note(item, adapter);
      });
    },
    advance(ms) {
      each((item, adapter) => {
        runAndReport(() => step(item, adapter, ms));
      });
      last = ms;
    },
    end() {
      let latest = 0;
      each((item, adapter) => {
        latest = Math.max(latest, (origins.get(item) ?? 0) + (adapter.length(item) ?? 0));
      });
      return latest;
    },
  };
}

/** Calls `replace` when a script assigns the global `name`. The global gets the value that `replace` returns. */
export function watchGlobal<Value>(window: Window, name: string, replace: (value: Value) => Value): void {
  let current: Value | undefined;
  Object.defineProperty(window, name, {
    configurable: true,
    enumerable: true,
    // Until then, browsers return the element with that id.
    get: () => current ?? window.document.getElementById(name) ?? undefined,
    set: (value: Value) => {
      current = replace(value);
    },
  });
}
