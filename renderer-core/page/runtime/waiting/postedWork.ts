// Waits for the work that scripts have posted: messages and tasks. Frameworks change the page in such work, after an
// animation frame or a timer, and a frame is complete when it has run.

type Page = Window & typeof globalThis;

export type PostedWork = {
  /** Whether something that scripts have posted has not run yet. */
  isPending(): boolean;
  /** Resolves when everything that scripts have posted has run, also what that has posted. */
  done(): Promise<void>;
  /** Whether scripts post work without end, so that `done` has stopped waiting. */
  isEndless(): boolean;
};

/** `done` waits for at most this many tasks of the browser. */
const maxTasks = 10_000;
/** The limit after it has been reached once. */
const maxTasksIfEndless = 100;
/** A task of low priority runs when the browser has nothing else to do. */
const longestWaitMs = 10_000;

/** Call before scripts run. `yieldToEventLoop` and `timeout` must be the browser's own. */
export function watchPostedWork(
  window: Page,
  yieldToEventLoop: () => Promise<void>,
  timeout: (callback: () => void, ms: number) => unknown,
): PostedWork {
  const ports = watchPorts(window);
  const messages = watchWindowMessages(window);
  const tasks = watchTasks(window);
  const isPending = () => ports.arePending() || messages.arePending() || tasks.arePending();
  let isEndless = false;
  return {
    isPending,
    isEndless: () => isEndless,
    async done() {
      const most = isEndless ? maxTasksIfEndless : maxTasks;
      for (let count = 0; isPending(); count++) {
        const isMessage = ports.arePending() || messages.arePending();
        if (isMessage && count < most) await yieldToEventLoop();
        // Messages would keep the browser from running tasks of low priority.
        else if (isMessage || count >= most || !(await tasks.next(timeout))) {
          isEndless = true;
          // A message that has not arrived by now may never arrive.
          for (const { forget } of [ports, messages, tasks]) forget();
        }
      }
    },
  };
}

type Arrivals = { arePending(): boolean; forget(): void };

/** Counts messages to ports of this page. A port delivers nothing before it has been started. */
function watchPorts(window: Page): Arrivals {
  const peers = new WeakMap<MessagePort, MessagePort>();
  const started = new WeakSet<MessagePort>();
  const arriving = new Map<MessagePort, number>();
  const add = (port: MessagePort, change: number) => {
    const count = (arriving.get(port) ?? 0) + change;
    if (count > 0) arriving.set(port, count);
    else arriving.delete(port);
  };
  /** For ports of other threads, and for closed ones. */
  const forgetPort = (port: MessagePort) => {
    for (const one of [port, peers.get(port)]) {
      if (!one) continue;
      arriving.delete(one);
      peers.delete(one);
    }
  };
  window.MessageChannel = new Proxy(window.MessageChannel, {
    construct(target, args, newTarget) {
      const channel: MessageChannel = Reflect.construct(target, args, newTarget);
      const { port1, port2 } = channel;
      peers.set(port1, port2);
      peers.set(port2, port1);
      for (const port of [port1, port2])
        for (const type of ['message', 'messageerror']) port.addEventListener(type, () => add(port, -1));
      return channel;
    },
  });
  const { prototype } = window.MessagePort;
  const { postMessage, start, close } = prototype;
  const forgetTransferred = (args: unknown[]) => {
    for (const one of transferred(args)) if (one instanceof window.MessagePort) forgetPort(one);
  };
  Object.assign(prototype, {
    postMessage(this: MessagePort, ...args: unknown[]) {
      Reflect.apply(postMessage, this, args);
      forgetTransferred(args);
      const peer = peers.get(this);
      if (peer) add(peer, 1);
    },
    start(this: MessagePort) {
      started.add(this);
      start.call(this);
    },
    close(this: MessagePort) {
      forgetPort(this);
      close.call(this);
    },
  });
  const handler = Object.getOwnPropertyDescriptor(prototype, 'onmessage');
  if (handler?.set) {
    const { set } = handler;
    Object.defineProperty(prototype, 'onmessage', {
      ...handler,
      set(this: MessagePort, value: unknown) {
        started.add(this);
        set.call(this, value);
      },
    });
  }
  const { postMessage: postToWorker } = window.Worker.prototype;
  Object.assign(window.Worker.prototype, {
    postMessage(this: Worker, ...args: unknown[]) {
      Reflect.apply(postToWorker, this, args);
      forgetTransferred(args);
    },
  });
  return {
    arePending: () => [...arriving.keys()].some((port) => started.has(port)),
    forget: () => arriving.clear(),
  };
}

/** The second argument of `postMessage` is a list, or options with a list. */
function transferred([, options]: unknown[]): unknown[] {
  if (typeof options !== 'object' || options === null) return [];
  const list = Symbol.iterator in options ? options : (options as { transfer?: unknown }).transfer;
  return [...((list ?? []) as Iterable<unknown>)];
}

/** Counts messages that the window sends to itself. */
function watchWindowMessages(window: Page): Arrivals {
  let arriving = 0;
  const { postMessage } = window;
  const reachesItself = (options: unknown): boolean => {
    const target = typeof options === 'object' ? (options as { targetOrigin?: string } | null)?.targetOrigin : options;
    if (target === undefined || target === '/' || target === '*') return true;
    return URL.canParse(String(target)) && new URL(String(target)).origin === window.location.origin;
  };
  const post = (...args: unknown[]) => {
    Reflect.apply(postMessage, window, args);
    if (reachesItself(args[1])) arriving++;
  };
  // A frame in the page that calls it must be the source of its message, so it gets the browser's own function.
  Object.defineProperty(window, 'postMessage', {
    configurable: true,
    enumerable: true,
    get: () => (window.length > 0 ? postMessage : post),
    set: (value: unknown) => Object.defineProperty(window, 'postMessage', { value, writable: true }),
  });
  const arrived = ({ source }: MessageEvent) => {
    if (source === window && arriving > 0) arriving--;
  };
  for (const type of ['message', 'messageerror'] as const) window.addEventListener(type, arrived, true);
  return {
    arePending: () => arriving > 0,
    forget() {
      arriving = 0;
    },
  };
}

type Scheduler = {
  postTask(callback: () => unknown, options?: object): Promise<unknown>;
  yield?(): Promise<void>;
};

/** Counts tasks that have not begun. Those with a delay are posted when they are due (delays.ts). */
function watchTasks(window: Page) {
  const { scheduler } = window as { scheduler?: Scheduler };
  const waiting = new Set<object>();
  let begun: () => void = () => undefined;
  const begin = (task: object) => {
    if (waiting.delete(task)) begun();
  };
  const { postTask, yield: yieldNow } = scheduler ?? {};
  if (scheduler && postTask) {
    scheduler.postTask = (callback, options) => {
      const task = {};
      waiting.add(task);
      const run = () => {
        begin(task);
        return callback();
      };
      // Also if it is aborted.
      return postTask.call(scheduler, run, options).finally(() => begin(task));
    };
  }
  if (scheduler && yieldNow) {
    scheduler.yield = () => {
      const task = {};
      waiting.add(task);
      return yieldNow.call(scheduler).finally(() => begin(task));
    };
  }
  return {
    arePending: () => waiting.size > 0,
    forget: () => waiting.clear(),
    /** Resolves with true after the next task has begun, and with false if none does. */
    next: (timeout: (callback: () => void, ms: number) => unknown) =>
      new Promise<boolean>((resolve) => {
        begun = () => timeout(() => resolve(true), 0);
        timeout(() => resolve(false), longestWaitMs);
      }),
  };
}
