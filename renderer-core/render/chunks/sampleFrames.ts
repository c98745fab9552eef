// The browser's own screenshots of sample frames. They are served to the painting pages, which compare their own pixels with
// them. Pages with videos are shown by a separate page while others paint, because painting needs the frames of videos
// elsewhere than the screen does. All other screenshots are taken by the pages that paint.
import type { CapturePage } from '../../capture/capturePage.ts';
import { screenshot, settledScreenshot } from '../../capture/screenshotSource.ts';
import type { PageTraits } from '../../page/features/pageTraits.ts';
import type { RenderPlan } from '../../plan/renderPlan.ts';
import { openPage, withPageErrors } from '../probe/openPage.ts';
import { type Deferred, deferred, untilAborted } from '../promises.ts';
import type { PageJob, SampleFrames } from '../types.ts';

let versions = 0;

/** Pixels of the longer side, doubled: more would need too much memory. */
const maxDoubledSide = 4096;

/** The size of screenshots in which something narrow differs. In double size, the compositor draws it less coarsely. */
function scaleForNarrow({ width, height, transparent }: PageJob['target'], { isCoarse }: PageTraits): number {
  const fits = 2 * Math.max(width, height) <= maxDoubledSide;
  return isCoarse && fits && !transparent ? 2 : 1;
}

export function openSampleFrames(
  job: PageJob,
  { plan, signal: aborted }: { plan: RenderPlan; signal: AbortSignal },
  traits: PageTraits,
): SampleFrames {
  const narrowScale = scaleForNarrow(job.target, traits);
  const byPainters = !traits.samplesApart;
  const screenshots = new Map<number, Deferred<string>>();
  const taken = new Set<number>();
  const pendingOf = (frame: number): Deferred<string> => {
    const known = screenshots.get(frame);
    if (known) return known;
    const pending = deferred<string>();
    // `of` hands the failure on; until then it must not count as unhandled.
    pending.promise.catch(() => undefined);
    screenshots.set(frame, pending);
    return pending;
  };
  const closing = new AbortController();
  const signal = AbortSignal.any([aborted, closing.signal]);
  let work: Promise<unknown> = Promise.resolve();

  async function withPage<T>(use: (page: CapturePage) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const { page } = await untilAborted(openPage(job, 'sample'), signal);
    try {
      return await withPageErrors(use(page), () => job.check(page));
    } finally {
      await page.close();
    }
  }

  /** Returns the screenshot's path. */
  function serve(frame: number, body: Buffer): string {
    const path = `/__framework/screenshots/${frame}.png`;
    job.services.server.setVirtual(path, { body, type: 'image/png' });
    // Browsers cache images: the comparison must not get an earlier screenshot from the same address.
    return `${path}?${versions++}`;
  }

  const takeAll = (frames: readonly number[]): Promise<void> =>
    withPage(async (page) => {
      for (const frame of frames) {
        signal.throwIfAborted();
        pendingOf(frame).resolve(serve(frame, await screenshot(page, frame, plan, 'png')));
      }
    });

  return {
    byPainters,
    put: (frame, png) => pendingOf(frame).resolve(serve(frame, png)),
    take(frames) {
      if (byPainters) return;
      const missing = frames.filter((frame) => !taken.has(frame)).sort((a, b) => a - b);
      if (missing.length === 0) return;
      for (const frame of missing) taken.add(frame);
      work = work
        .then(() => takeAll(missing))
        .catch((error) => {
          for (const frame of missing) pendingOf(frame).reject(error);
        });
    },
    of: (frame) => pendingOf(frame).promise,
    retake(frame, isNarrow = false) {
      const retaken = work.then(() =>
        withPage(async (page) => serve(frame, await settledScreenshot(page, frame, plan, isNarrow ? narrowScale : 1))),
      );
      // The caller gets the failure; later work does not depend on it.
      work = retaken.catch(() => undefined);
      return retaken;
    },
    async close() {
      closing.abort();
      await work;
    },
  };
}
