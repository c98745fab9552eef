// Delays that are not timers: they end at a time of the composition too.

type Page = Window & typeof globalThis;
type Options = { delay?: number; signal?: AbortSignal; priority?: string };
type PostTask = (callback: () => unknown, options?: Options) => Promise<unknown>;

/** Call after the timers of `window` were replaced. */
export function replaceDelays(window: Page): void {
  const { setTimeout, clearTimeout, AbortSignal, AbortController, DOMException } = window;
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('signal timed out', 'TimeoutError')), ms);
    return controller.signal;
  };
  const { scheduler } = window as { scheduler?: { postTask?: PostTask } };
  const post = scheduler?.postTask;
  if (!scheduler || !post) return;
  scheduler.postTask = (callback, { delay, ...options } = {}) => {
    const { signal } = options;
    if (!delay || signal?.aborted) return post.call(scheduler, callback, options);
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(id);
        reject(signal?.reason);
      };
      const id = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve(post.call(scheduler, callback, options));
      }, delay);
      signal?.addEventListener('abort', stop, { once: true });
    });
  };
}
