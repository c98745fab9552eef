// The page's clock: Date, timers and animation frames follow the composition's time instead of real time, and so do the others.

import { runAndReport } from '../runAndReport.ts';
import { watchPostedWork } from '../waiting/postedWork.ts';
import type { StartedWork } from '../waiting/startedWork.ts';
import { replaceDelays } from './delays.ts';
import { replaceOtherClocks } from './otherClocks.ts';

type Callback = (time: number) => void;
type Timer = { id: number; due: number; order: number; every: number | null; depth: number; run: () => void };

/** HTML, "timer initialization steps": timers that are nested this deep wait at least 4 ms. */
const maxDepth = 5;
const minDeepDelay = 4;

export type Clock = {
  /** Milliseconds since the start of the composition. */
  now(): number;
  /** Whether the page has ever requested a timer or an animation frame. */
  runs(): boolean;
  /** Moves to `ms`: runs the timers until then in order, each with what it has posted, then one round of animation frames. */
  advance(ms: number): Promise<void>;
  /**
   * Runs the timers that are due now, without moving, and then `complete`: start-up code often uses `setTimeout(..., 0)`.
   * Returns whether any ran.
   */
  runDue(): Promise<boolean>;
  /**
   * Completes what scripts have posted, such as messages, and started, such as requests, and what these post and start. Returns
   * whether there was any. Rejects when something takes too long.
   */
  complete(): Promise<boolean>;
  /** Whether scripts post work without end. */
  postsWithoutEnd(): boolean;
  /** Yields to the event loop, so that reactions of settled promises run. */
  yieldToEventLoop(): Promise<void>;
  /** Waits for the browser's next two renderings and the events that it sends with them. */
  rendering(): Promise<void>;
};

/** Replaces the clock functions of `window`. `epochMs` is the value of `Date.now()` at time 0. */
export function installClock(window: Window & typeof globalThis, epochMs: number, started: StartedWork): Clock {
  const yieldToEventLoop = createYield(window);
  const realFrame = window.requestAnimationFrame.bind(window);
  const posted = watchPostedWork(window, yieldToEventLoop, window.setTimeout.bind(window));
  const complete = async (): Promise<boolean> => {
    let hasRun = false;
    for (;;) {
      const [hasPosted, hasStarted] = [posted.isPending(), started.isPending()];
      if (!hasStarted && (!hasPosted || (hasRun && posted.isEndless()))) return hasRun;
      hasRun = true;
      await posted.done();
      await started.done();
      // The last reaction may still run.
      await yieldToEventLoop();
    }
  };
  const time = { now: 0, nextId: 1 };
  const read = limitReads(time);
  const timers = createTimers(window, time, async () => {
    await yieldToEventLoop();
    await complete();
  });
  const frames = createFrames(window, time);
  Object.defineProperty(window.document.timeline, 'currentTime', { get: () => time.now, configurable: true });
  window.Date = virtualDate(window.Date, () => Math.floor(epochMs + read()));
  replaceDelays(window);
  replaceOtherClocks(window, read, epochMs);

  return {
    now: () => time.now,
    runs: () => time.nextId > 1,
    async advance(ms) {
      await timers.run(ms);
      time.now = ms;
      frames.run();
    },
    async runDue() {
      const hadTimers = await timers.run(time.now);
      return ((await complete()) && !posted.isEndless()) || hadTimers;
    },
    complete,
    postsWithoutEnd: posted.isEndless,
    yieldToEventLoop,
    // An event that is due may miss the current rendering, but not the next one.
    rendering: () => new Promise((resolve) => realFrame(() => realFrame(() => resolve()))),
  };
}

/** A page reads the clock at most this often at one time. */
const maxReads = 5_000_000;

/** Returns what scripts read. Throws in a loop that waits for a time, because it would never end. */
function limitReads(time: Time): () => number {
  let [reads, at] = [0, -1];
  return () => {
    if (time.now !== at) [reads, at] = [0, time.now];
    if (++reads > maxReads)
      throw new Error(
        'A script waits for time to pass, but the clock of a composition stands still while a script runs',
      );
    return time.now;
  };
}

/** The composition's time in milliseconds, and the next id of a timer or animation frame. */
type Time = { now: number; nextId: number };

/**
 * Replaces `setTimeout`, `setInterval`, `requestIdleCallback` and their counterparts. `completeTask` runs after each timer:
 * the reactions of promises, and what the timer has posted.
 */
function createTimers(window: Window & typeof globalThis, time: Time, completeTask: () => Promise<void>) {
  /** The nesting level of the running timer. */
  let depth = 0;
  let order = 0;
  const timers = new Map<number, Timer>();

  const schedule = (handler: unknown, delay: unknown, every: boolean, args: unknown[]): number => {
    const wait = Math.max(depth >= maxDepth ? minDeepDelay : 0, Number(delay) || 0);
    const id = time.nextId++;
    timers.set(id, {
      id,
      due: time.now + wait,
      order: order++,
      // With an interval of zero no time would pass; browsers use at least 1 ms.
      every: every ? Math.max(1, wait) : null,
      depth: depth + 1,
      run: () => {
        if (typeof handler === 'function') handler.apply(window, args);
        // Handlers can be strings; an indirect eval runs them in the global scope, as browsers do.
        else window.eval(String(handler));
      },
    });
    return id;
  };
  const clear = (id: number) => void timers.delete(Number(id));

  Object.assign(window, {
    setTimeout: (handler: unknown, delay?: unknown, ...args: unknown[]) => schedule(handler, delay, false, args),
    setInterval: (handler: unknown, delay?: unknown, ...args: unknown[]) => schedule(handler, delay, true, args),
    clearTimeout: clear,
    clearInterval: clear,
    requestIdleCallback: (callback: (deadline: unknown) => void) =>
      schedule(() => callback({ didTimeout: false, timeRemaining: () => 50 }), 1, false, []),
    cancelIdleCallback: clear,
  });

  return {
    /** Moves to `until` and runs the timers on the way. Returns whether any ran. */
    async run(until: number): Promise<boolean> {
      let hasRun = false;
      for (let timer = nextDue(timers, until); timer; timer = nextDue(timers, until)) {
        hasRun = true;
        time.now = Math.max(time.now, timer.due);
        if (timer.every === null) timers.delete(timer.id);
        else timers.set(timer.id, { ...timer, due: timer.due + timer.every, order: order++ });
        depth = timer.depth;
        runAndReport(timer.run);
        await completeTask();
        depth = 0;
      }
      return hasRun;
    },
  };
}

function nextDue(timers: ReadonlyMap<number, Timer>, until: number): Timer | undefined {
  let next: Timer | undefined;
  for (const timer of timers.values()) {
    if (timer.due > until) continue;
    if (!next || timer.due < next.due || (timer.due === next.due && timer.order < next.order)) next = timer;
  }
  return next;
}

/** Replaces `requestAnimationFrame` and `cancelAnimationFrame`. */
function createFrames(window: Window & typeof globalThis, time: Time) {
  const frames = new Map<number, Callback>();
  Object.assign(window, {
    requestAnimationFrame: (callback: Callback) => {
      const id = time.nextId++;
      frames.set(id, callback);
      return id;
    },
    cancelAnimationFrame: (id: number) => void frames.delete(Number(id)),
  });
  return {
    run(): void {
      // Callbacks that are requested during this round run in the next one. Those of this round can still be cancelled.
      for (const id of [...frames.keys()]) {
        const callback = frames.get(id);
        frames.delete(id);
        if (callback) runAndReport(() => callback(time.now));
      }
    },
  };
}

/** Waits for a task of the real event loop with the shortest possible delay. Promise reactions run before it. */
function createYield(window: Window & typeof globalThis): () => Promise<void> {
  const { port1, port2 } = new window.MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
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
