// Delays work until its reasons stop coming.
import type { Disposable } from 'vscode';

/** Runs once, `ms` milliseconds after the last call of `schedule`. */
export function debounced(ms: number, run: () => void): Disposable & { schedule: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    schedule() {
      clearTimeout(timer);
      timer = setTimeout(run, ms);
    },
    dispose: () => clearTimeout(timer),
  };
}
