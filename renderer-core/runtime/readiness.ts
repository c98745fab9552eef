// Detects that a page is ready for its first frame: everything that its scripts have started at load time has finished.
import type { Assets } from './assetLoader.ts';

export type Readiness = {
  /** Resolves when the document, its fonts and images are loaded and all requests of scripts have finished. */
  settled(runDue: () => Promise<boolean>, isLoading: () => boolean): Promise<void>;
};

/** Watches `fetch` and `XMLHttpRequest`. Call before `installClock`, because it needs the browser's own timer. */
export function watchReadiness(window: Window & typeof globalThis, assets: Assets): Readiness {
  const { document } = window;
  const realTimeout = window.setTimeout.bind(window);
  let requests = 0;
  const track = <T>(work: Promise<T>): Promise<T> => {
    requests++;
    const done = () => void requests--;
    work.then(done, done);
    return work;
  };

  const { fetch } = window;
  window.fetch = (...args: Parameters<typeof fetch>) =>
    track(fetch(...args)).catch((error: Error) => {
      // The browser's message does not say what failed to load.
      if (error instanceof window.TypeError)
        error.message += `: ${args[0] instanceof window.Request ? args[0].url : args[0]}`;
      throw error;
    });
  const { send } = window.XMLHttpRequest.prototype;
  window.XMLHttpRequest.prototype.send = function (this: XMLHttpRequest, ...args: Parameters<typeof send>) {
    track(new Promise<void>((resolve) => this.addEventListener('loadend', () => resolve(), { once: true })));
    send.apply(this, args);
  };

  // After a response has arrived, its body is still being read, and WebAssembly compiled.
  for (const name of ['arrayBuffer', 'blob', 'formData', 'json', 'text'] as const)
    trackMethod(window.Response.prototype, name, track);
  for (const name of ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming'] as const)
    trackMethod(window.WebAssembly, name, track);

  const nextTask = () => new Promise<void>((resolve) => realTimeout(resolve, 0));
  const loaded = new Promise<void>((resolve) => {
    if (document.readyState === 'complete') resolve();
    else window.addEventListener('load', () => resolve(), { once: true });
  });

  return {
    async settled(runDue, isLoading) {
      await loaded;
      for (let quiet = 0; quiet < 2; ) {
        await assets.load();
        const busy = (await runDue()) || isLoading() || requests > 0;
        await nextTask();
        quiet = busy || requests > 0 ? 0 : quiet + 1;
      }
      await assets.complete();
    },
  };
}

/** Replaces a method that returns a promise with one whose promise is tracked. */
function trackMethod(owner: object, name: string, track: (work: Promise<unknown>) => Promise<unknown>): void {
  const method = Reflect.get(owner, name) as (...args: unknown[]) => Promise<unknown>;
  Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
    return track(method.apply(this, args));
  });
}
