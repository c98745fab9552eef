// Players of animation libraries: found without the author's help, and started with the composition or clip they are in.

/** One library. Its items are whatever plays by itself: animations, timelines, players. Times are milliseconds. */
export type Adapter<Item extends object = object> = {
  /** What the page's scripts have created and what has not ended. Asked in every frame. */
  find(): Iterable<Item>;
  /** Top-level time at which the item begins. `host` is the mount whose script created it; null for the page's own. */
  origin(item: Item, host: Element | null): number;
  /** Time from the item's beginning to its end; null when it has none. */
  length(item: Item): number | null;
  /** Whether the item has something to load before it can be shown. */
  isLoading?(item: Item): boolean;
  /** For a library that follows the page's clock by itself: the item is to begin `delay` from now. Called once, at time 0. */
  postpone?(item: Item, delay: number): void;
  /** For all others: whether the item is playing, and how it goes on by `elapsed`. */
  isPlaying?(item: Item): boolean;
  advance?(item: Item, elapsed: number): void;
};

export type Players = {
  /** Notes that the script of the mount `host` has run: what is new is of its making. */
  claim(host: Element | null): void;
  isLoading(): boolean;
  /** Call once, when the page's scripts have run: what is there begins with its composition or clip. */
  begin(): void;
  /** Brings everything to `ms` of the top-level time, after the page's clock. */
  advance(ms: number): void;
  /** Latest known end in milliseconds of the top-level time; 0 when there is none. */
  end(): number;
};

export function createPlayers(adapters: readonly Adapter[]): Players {
  const hosts = new WeakMap<object, Element>();
  const origins = new WeakMap<object, number>();
  /** What was playing at the last moment: for what has been created or played since, no time has passed yet. */
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
        try {
          step(item, adapter, ms);
        } catch (error) {
          // A callback of the author's: reported like any uncaught exception, which ends the render with its place.
          window.reportError(error);
        }
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

/** Shows `see` what a script puts into the global `name`, at the moment it does; what `see` returns takes its place. */
export function watchGlobal<Value>(window: Window, name: string, see: (value: Value) => Value): void {
  let current: Value | undefined;
  Object.defineProperty(window, name, {
    configurable: true,
    enumerable: true,
    // An element of that id is what the browser would answer with until then.
    get: () => current ?? window.document.getElementById(name) ?? undefined,
    set: (value: Value) => {
      current = see(value);
    },
  });
}
