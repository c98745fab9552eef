// The page's clock: Date, performance.now, timers and animation frames follow the composition's time, not the machine's.

type Callback = (time: number) => void;
type Timer = { id: number; due: number; order: number; every: number | null; depth: number; run: () => void };

/** HTML, "timer initialization steps": a timer that timers have set this deep waits at least 4 ms, so that time passes. */
const maxDepth = 5;
const minDeepDelay = 4;

export type Clock = {
  /** Milliseconds since the start of the composition. */
  now(): number;
  /** Whether the page has ever asked for a timer or an animation frame. */
  runs(): boolean;
  /** Moves to `ms`: runs the timers due until then, in order, each with its promises; then one round of animation frames. */
  advance(ms: number): Promise<void>;
  /** Runs what is due now without moving: page start-up often waits on `setTimeout(..., 0)`. */
  runDue(): Promise<boolean>;
  /** Lets the promises that are settled run their reactions. */
  breathe(): Promise<void>;
  /** The browser's own next two renderings, with the events it sends then. */
  rendering(): Promise<void>;
};

/** Replaces the clock functions of `window`. `epochMs` is what `Date.now()` says at time 0. */
export function installClock(window: Window & typeof globalThis, epochMs: number): Clock {
  const breathe = realTurns(window);
  const realFrame = window.requestAnimationFrame.bind(window);
  let now = 0;
  /** How deep the running timer was set by timers. */
  let depth = 0;
  let nextId = 1;
  let order = 0;
  const timers = new Map<number, Timer>();
  const frames = new Map<number, Callback>();

  const schedule = (handler: unknown, delay: unknown, every: boolean, args: unknown[]): number => {
    const wait = Math.max(depth >= maxDepth ? minDeepDelay : 0, Number(delay) || 0);
    const id = nextId++;
    // Intervals of zero would never let time pass; browsers use at least 1 ms.
    timers.set(id, {
      id,
      due: now + wait,
      order: order++,
      every: every ? Math.max(1, wait) : null,
      depth: depth + 1,
      run: () => {
        if (typeof handler === 'function') handler.apply(window, args);
        // String handlers are legal in browsers; an indirect eval gives them the global scope they expect.
        else window.eval(String(handler));
      },
    });
    return id;
  };

  const nextDue = (until: number): Timer | undefined => {
    let next: Timer | undefined;
    for (const timer of timers.values()) {
      if (timer.due > until) continue;
      if (!next || timer.due < next.due || (timer.due === next.due && timer.order < next.order)) next = timer;
    }
    return next;
  };

  const runTimers = async (until: number): Promise<boolean> => {
    let hasRun = false;
    for (let timer = nextDue(until); timer; timer = nextDue(until)) {
      hasRun = true;
      now = Math.max(now, timer.due);
      if (timer.every === null) timers.delete(timer.id);
      else timers.set(timer.id, { ...timer, due: timer.due + timer.every, order: order++ });
      depth = timer.depth;
      guarded(window, timer.run);
      await breathe();
      depth = 0;
    }
    return hasRun;
  };

  const runFrames = (): void => {
    // Frames asked for from now on are for the next round; one that is still to come in this round can be cancelled.
    const round = [...frames.keys()];
    for (const id of round) {
      const callback = frames.get(id);
      frames.delete(id);
      if (callback) guarded(window, () => callback(now));
    }
  };

  Object.assign(window, {
    setTimeout: (handler: unknown, delay?: unknown, ...args: unknown[]) => schedule(handler, delay, false, args),
    setInterval: (handler: unknown, delay?: unknown, ...args: unknown[]) => schedule(handler, delay, true, args),
    clearTimeout: (id: number) => void timers.delete(Number(id)),
    clearInterval: (id: number) => void timers.delete(Number(id)),
    requestAnimationFrame: (callback: Callback) => {
      const id = nextId++;
      frames.set(id, callback);
      return id;
    },
    cancelAnimationFrame: (id: number) => void frames.delete(Number(id)),
    requestIdleCallback: (callback: (deadline: unknown) => void) =>
      schedule(() => callback({ didTimeout: false, timeRemaining: () => 50 }), 1, false, []),
    cancelIdleCallback: (id: number) => void timers.delete(Number(id)),
  });
  window.performance.now = () => now;
  Object.defineProperty(window.performance, 'timeOrigin', { value: epochMs, configurable: true });
  Object.defineProperty(window.document.timeline, 'currentTime', { get: () => now, configurable: true });
  window.Date = virtualDate(window.Date, () => Math.floor(epochMs + now));

  return {
    now: () => now,
    runs: () => nextId > 1,
    async advance(ms) {
      await runTimers(ms);
      now = ms;
      runFrames();
    },
    runDue: () => runTimers(now),
    breathe,
    // An event that is due may miss the rendering under way: the one after it has sent them all.
    rendering: () => new Promise((resolve) => realFrame(() => realFrame(() => resolve()))),
  };
}

/** A turn of the real event loop, the shortest there is: everything that promises have set off has run when it comes. */
function realTurns(window: Window & typeof globalThis): () => Promise<void> {
  const { port1, port2 } = new window.MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
}

/** An exception in one callback is reported as the browser would and does not stop the others. */
function guarded(window: Window & typeof globalThis, run: () => void): void {
  try {
    run();
  } catch (error) {
    window.reportError(error);
  }
}

function virtualDate(RealDate: DateConstructor, now: () => number): DateConstructor {
  const VirtualDate = function (this: unknown, ...args: unknown[]) {
    if (!new.target) return new RealDate(now()).toString();
    const time = args.length === 0 ? [now()] : args;
    return Reflect.construct(RealDate, time, new.target);
  };
  Object.setPrototypeOf(VirtualDate, RealDate);
  VirtualDate.prototype = RealDate.prototype;
  Object.defineProperty(RealDate.prototype, 'constructor', { value: VirtualDate, configurable: true, writable: true });
  return Object.assign(VirtualDate, { now, parse: RealDate.parse, UTC: RealDate.UTC }) as unknown as DateConstructor;
}
