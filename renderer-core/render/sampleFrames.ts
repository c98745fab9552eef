// Takes the browser's own screenshots of sample frames with a separate page, while other pages paint. The screenshots
// are served to the painting pages, which compare their own pixels with them.
import { screenshot } from '../capture/screenshotSource.ts';
import { openReadyPage, withPageErrors } from './captureChunks.ts';
import { type Deferred, deferred, untilAborted } from './promises.ts';
import type { CaptureJob, SampleFrames } from './types.ts';

type SampleJob = Pick<
  CaptureJob,
  'launched' | 'server' | 'remote' | 'network' | 'target' | 'fastPaths' | 'check' | 'signal' | 'plan'
>;

let versions = 0;

export function openSampleFrames(job: SampleJob): SampleFrames {
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
  const signal = AbortSignal.any([job.signal, closing.signal]);
  // Browsers cache images: the comparison must not get the screenshot of an earlier render from the same address.
  const version = versions++;
  let work: Promise<void> = Promise.resolve();

  async function takeAll(frames: readonly number[]): Promise<void> {
    signal.throwIfAborted();
    const { page } = await untilAborted(openReadyPage(job, 'sample'), signal);
    try {
      for (const frame of frames) {
        signal.throwIfAborted();
        const path = `/__framework/screenshots/${frame}.png`;
        const body = await withPageErrors(screenshot(page, frame, job.plan, 'png'), () => job.check(page));
        job.server.setVirtual(path, { body, type: 'image/png' });
        pendingOf(frame).resolve(`${path}?${version}`);
      }
    } finally {
      await page.close();
    }
  }

  return {
    take(frames) {
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
    close() {
      closing.abort();
      return work;
    },
  };
}
