// Waits until the user cancels.

/** For reading stdin, which may never be closed. `cancelled` creates the error. */
export function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  cancelled: (cause: unknown) => Error,
): Promise<T> {
  return new Promise((done, fail) => {
    const stop = () => fail(cancelled(signal.reason));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(done, fail).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Resolves when the user cancels. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
