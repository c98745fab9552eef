// Splits long work into time slices, so that typing and cancellation are processed in between.

/** Maximum length of a slice of background work, in milliseconds. */
const sliceMs = 8;

/** Resolves after all waiting events have been processed. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve);
  });
}

/** Returns a function to await often in a long loop: it yields to the event loop when the slice's time is used up. */
export function createTimeSlicer(now: () => number): () => Promise<void> | undefined {
  let start = now();
  return () => {
    if (now() - start < sliceMs) return undefined;
    return yieldToEventLoop().then(() => {
      start = now();
    });
  };
}

/** Returns a function that calls `run` once, `delay` milliseconds after the first of several calls. */
export function coalesce(delay: number, run: () => void): { (): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      run();
    }, delay);
  };
  return Object.assign(start, { stop: () => clearTimeout(timer) });
}
