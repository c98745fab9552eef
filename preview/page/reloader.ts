// Runs the loads of a composition one after the other. Requests during a load result in one more load.

/**
 * A load may wait for something that never arrives. When a newer version is requested, it is aborted after this time, in
 * milliseconds from its start.
 */
const maxLoadMs = 1500;

export class Reloader {
  private state: 'idle' | 'loading' | 'outdated' = 'idle';
  private current = { since: 0, abort: new AbortController() };
  private readonly load: (signal: AbortSignal) => Promise<void>;

  constructor(load: (signal: AbortSignal) => Promise<void>) {
    this.load = load;
  }

  get isLoading(): boolean {
    return this.state !== 'idle';
  }

  /** Whether the current load is followed by another one, so that its result should be discarded. */
  get isOutdated(): boolean {
    return this.state === 'outdated';
  }

  request(): void {
    if (this.state === 'idle') {
      void this.run();
      return;
    }
    this.state = 'outdated';
    const { abort, since } = this.current;
    setTimeout(() => abort.abort(), since + maxLoadMs - performance.now());
  }

  private async run(): Promise<void> {
    do {
      this.state = 'loading';
      this.current = { since: performance.now(), abort: new AbortController() };
      try {
        await this.load(this.current.abort.signal);
      } catch (error) {
        reportError(error);
      }
    } while (this.isOutdated);
    this.state = 'idle';
  }
}
