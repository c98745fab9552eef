// Detects that a page is ready for its first frame: everything that its scripts have started at load time has finished.
import type { Assets } from './assetLoader.ts';
import type { StartedWork } from './startedWork.ts';

export type Readiness = {
  /** Resolves when the document, its fonts and images are loaded and all requests of scripts have finished. */
  settled(runDue: () => Promise<boolean>, isLoading: () => boolean): Promise<void>;
};

/** Call before `installClock`, because it needs the browser's own timer. */
export function watchReadiness(window: Window & typeof globalThis, assets: Assets, started: StartedWork): Readiness {
  const { document } = window;
  const realTimeout = window.setTimeout.bind(window);
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
        const isBusy = (await runDue()) || isLoading();
        await nextTask();
        quiet = isBusy || started.isPending() ? 0 : quiet + 1;
      }
      started.begin();
      await assets.complete();
    },
  };
}
