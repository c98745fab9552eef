// Turns of the event loop: long work is cut into slices, so that typing and cancelling get through in between.

/** The longest a slice of background work keeps an answer waiting, in milliseconds. */
const sliceLength = 8;

/** Lets everything run that has come in meanwhile. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve);
  });
}

/** A function to be awaited often in a long loop: it takes a turn whenever a slice's time is over. */
export function createSlices(now: () => number = () => performance.now()): () => Promise<void> | undefined {
  let start = now();
  return () => {
    if (now() - start < sliceLength) return undefined;
    return nextTurn().then(() => {
      start = now();
    });
  };
}

/** Calls `run` once, `delay` milliseconds after the first of any number of calls. */
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
