// Runs code of the author.

/** Reports an exception as browsers do, so that it does not stop other callbacks. It ends a render with its location. */
export function runAndReport(run: () => void): void {
  try {
    run();
  } catch (error) {
    window.reportError(error);
  }
}
