// The browser's own pictures of sample frames, taken by a page of its own while others paint, and served to those by URL.
import { screenshot } from '../capture/screenshotSource.ts';
import { type CaptureJob, explained, openReadyPage } from './captureChunks.ts';
import { type Deferred, deferred } from './deferred.ts';
import { untilAborted } from './untilAborted.ts';

export type SampleShots = {
  /** Begins to take what has not been asked for before. */
  take(frames: readonly number[]): void;
  /** The path of a frame's picture on the page's server. Rejects with what kept it from being taken. */
  of(frame: number): Promise<string>;
  /** Ends what is under way, and resolves when its pages are closed. */
  close(): Promise<void>;
};

export type ShotJob = Pick<
  CaptureJob,
  'launched' | 'server' | 'remote' | 'network' | 'target' | 'check' | 'signal' | 'plan'
>;

let versions = 0;

export function openSampleShots(job: ShotJob): SampleShots {
  const shots = new Map<number, Deferred<string>>();
  const closing = new AbortController();
  const signal = AbortSignal.any([job.signal, closing.signal]);
  // Browsers keep images: a render of the same address before this one must not be compared with.
  const version = versions++;
  let work: Promise<void> = Promise.resolve();

  async function takeAll(frames: readonly number[]): Promise<void> {
    signal.throwIfAborted();
    const { page } = await untilAborted(openReadyPage(job, 'sample'), signal);
    try {
      for (const frame of frames) {
        signal.throwIfAborted();
        const path = `/__framework/screenshots/${frame}.png`;
        const body = await explained(screenshot(page, frame, job.plan, 'png'), () => job.check(page));
        job.server.setVirtual(path, { body, type: 'image/png' });
        shots.get(frame)?.resolve(`${path}?${version}`);
      }
    } finally {
      await page.close();
    }
  }

  return {
    take(frames) {
      const open = frames.filter((frame) => !shots.has(frame)).sort((a, b) => a - b);
      if (open.length === 0) return;
      for (const frame of open) {
        const shot = deferred<string>();
        // Whoever waits for it is told; until then it must not count as unhandled.
        shot.promise.catch(() => undefined);
        shots.set(frame, shot);
      }
      work = work
        .then(() => takeAll(open))
        .catch((error) => {
          for (const frame of open) shots.get(frame)?.reject(error);
        });
    },
    of: (frame) => shots.get(frame)?.promise ?? Promise.reject(new Error(`frame ${frame} is no sample`)),
    close() {
      closing.abort();
      return work;
    },
  };
}
