// Captures the chunks of a plan by painting or with screenshots, and compares painted frames with screenshots.
import { type CapturePage, canvasSize } from '../../capture/capturePage.ts';
import { type OwnScreenshots, openPaintSource, type PaintSource, slotsPerHalf } from '../../capture/paintSource.ts';
import { type PixelFormat, pixelBytes } from '../../capture/protocol.ts';
import type { Sample } from '../../capture/samples.ts';
import { openScreenshotSource } from '../../capture/screenshotSource.ts';
import { UserError } from '../../errors.ts';
import { discardFrames } from '../../media/segment.ts';
import { type Share, splitShares } from '../../plan/chunks.ts';
import { hasAlpha } from '../../plan/formats.ts';
import type { RenderPlan } from '../../plan/renderPlan.ts';
import { openPage, remoteImageObstacle } from '../probe/openPage.ts';
import { deferred, untilAborted } from '../promises.ts';
import type { CapturedFrames, CaptureJob, CountWorkers } from '../types.ts';
import { isSample, noResults, runWorkers, type Worker } from './captureWorkers.ts';
import { resumeCapture } from './resumeCapture.ts';

/** Stops all pages, because the painted frames are not what the browser shows. */
class CaptureDisagreement extends Error {}

/** Why painted frames are not what the browser shows. */
export type Disagreement = { disagreement: string };

/**
 * Captures with paint and compares `samples` with screenshots while it runs. Samples that are in no chunk are painted for
 * the comparison only. `trusted`: the page's painted frames are right, whatever it shows.
 */
export async function paintChunks(
  job: CaptureJob,
  samples: readonly Sample[],
  trusted = false,
): Promise<CapturedFrames | Disagreement> {
  const failed = new AbortController();
  const signal = AbortSignal.any([job.signal, failed.signal]);
  const stopAll = (error: unknown): never => {
    failed.abort(error);
    throw error;
  };
  // Screenshots are taken while others paint, but not before the load of painting has been measured.
  const takeSamples = <Count>(count: Count): Count => {
    job.samples.take(samples.map(({ frame }) => frame));
    return count;
  };
  const plainSamples: number[] = [];
  const comparisons = compareSamples({ ...job, signal }, samples, plainSamples);
  const compared = [...comparisons.keys()];
  const open = (worker: number) => openPaintWorker(job, worker, samples, trusted ? undefined : stopAll);
  try {
    const workers: CountWorkers = (shares) => {
      const count = job.workers(shares);
      return typeof count === 'number' ? takeSamples(count) : (load) => takeSamples(count(load));
    };
    const resumed = await resumeCapture(job, 'paint');
    const painted = { ...withSamples(resumed.job, compared), signal, workers };
    const captured = await runWorkers(painted, paintShares(painted), open, (source, frame) =>
      comparisons.get(frame)?.(source).catch(stopAll),
    );
    const closed = Promise.all([captured.closed, job.samples.close()]);
    return resumed.complete({ ...captured, closed, plainSamples });
  } catch (error) {
    failed.abort(error);
    await job.samples.close();
    job.signal.throwIfAborted();
    // Closing pages also fails comparisons in progress; that must not hide the error that came first.
    const first = error instanceof UserError ? error : failed.signal.reason;
    if (first instanceof CaptureDisagreement) return { disagreement: first.message };
    throw first;
  }
}

/**
 * Returns what to do with each sample frame when it has been painted. The spare of a sample is compared if the sample shows
 * only one color. Adds samples to `plain` that show nothing else, and whose spares do not either.
 */
function compareSamples(
  job: Pick<CaptureJob, 'samples' | 'signal'>,
  samples: readonly Sample[],
  plain: number[],
): Map<number, (source: PaintSource) => Promise<void>> {
  const compare = async (source: PaintSource, frame: number, screenshot: Promise<string>): Promise<boolean> => {
    // A known reason is better than the place of a difference.
    const obstacle = source.obstacle();
    if (obstacle !== null) throw new CaptureDisagreement(obstacle);
    const { isPlain, difference: first, isNarrow } = await source.compare(frame, await screenshot);
    if (first === null) return isPlain;
    // Rarely, the compositor has not drawn a layer at its new scale when the screenshot is taken.
    const { difference } = await source.compare(frame, await job.samples.retake(frame, isNarrow));
    if (difference === null) return isPlain;
    throw new CaptureDisagreement(`frame ${frame} painted differs from the browser's own screenshot ${difference}`);
  };
  const comparisons = new Map<number, (source: PaintSource) => Promise<void>>();
  for (const { frame, spare } of samples) {
    const isPlain = deferred<boolean>();
    comparisons.set(frame, async (source) => {
      const found = await compare(source, frame, job.samples.of(frame));
      isPlain.resolve(found);
      if (found && spare === null) plain.push(frame);
    });
    if (spare === null) continue;
    // Another page may paint it, before or after the sample.
    comparisons.set(spare, async (source) => {
      if (!(await untilAborted(isPlain.promise, job.signal))) return;
      if (await compare(source, spare, job.samples.retake(spare))) plain.push(frame);
    });
  }
  return comparisons;
}

/** Adds a chunk for each sample that no chunk contains. Its frame is painted, but not encoded. */
function withSamples(job: CaptureJob, samples: readonly number[]): CaptureJob {
  const { chunks } = job.plan;
  const missing = samples.filter((frame) => !chunks.some(({ start, end }) => start <= frame && frame < end));
  if (missing.length === 0) return job;
  const added = missing.map((frame) => ({ index: -1, start: frame, end: frame + 1 }));
  const plan = { ...job.plan, chunks: [...chunks, ...added].sort((a, b) => a.start - b.start) };
  const { encoding } = job;
  const startSegment: typeof encoding.startSegment = (own, input, chunk) =>
    isSample(chunk) ? discardFrames : encoding.startSegment(own, input, chunk);
  return { ...job, plan, encoding: { ...encoding, startSegment } };
}

/** `onObstacle`: called when the page shows something that cannot be painted. */
async function openPaintWorker(
  job: CaptureJob,
  worker: number,
  samples: readonly Sample[],
  onObstacle?: (error: CaptureDisagreement) => void,
): Promise<Worker<PaintSource>> {
  const page = job.ready[worker] ?? (await openPage(job.page, 'paint')).page;
  job.page.check(page);
  const check = () => {
    job.page.check(page);
    const obstacle = onObstacle ? (remoteImageObstacle(page) ?? source.obstacle()) : null;
    // It occurred during the render, so that perhaps no sample shows it.
    if (obstacle !== null) onObstacle?.(new CaptureDisagreement(obstacle));
  };
  const source = await openPaintSource(page, {
    ...canvasSize(job.page.target),
    pixels: paintedPixels(job.plan),
    hdr: job.plan.hdr,
    profile: job.page.launched.profile,
    samples: samples.flatMap(({ frame, spare }) => (spare === null ? frame : [frame, spare])),
    ...(job.samples.byPainters ? { screenshots: ownScreenshots(job, samples) } : {}),
  });
  return { check, results: () => page.call('results'), source };
}

const ownScreenshots = ({ samples, plan }: CaptureJob, planned: readonly Sample[]): OwnScreenshots => ({
  frames: planned.map(({ frame }) => frame).sort((a, b) => a - b),
  size: plan,
  put: samples.put,
});

/** What painted pages produce for the encoder. */
function paintedPixels(plan: RenderPlan): PixelFormat {
  if (plan.bitDepth === 10 && plan.codec === null) return 'rgba64';
  if (plan.bitDepth === 10) return hasAlpha(plan) ? 'yuva444p10' : 'yuv420p10';
  return hasAlpha(plan) ? 'rgba' : 'i420';
}

/** A share of painted frames has at most this many bytes, because its frames may have to wait in memory. */
const maxShareBytes = 64 * 2 ** 20;
const maxShareFrames = 30;

function paintShares(job: CaptureJob): Share[] {
  const { width, height } = canvasSize(job.page.target);
  const frameBytes = width * height * pixelBytes[paintedPixels(job.plan)];
  const frames = Math.floor(maxShareBytes / frameBytes);
  return splitShares(job.plan.chunks, Math.min(maxShareFrames, Math.max(slotsPerHalf, frames)));
}

/**
 * Frames in a share of screenshots. Each share needs a new page, which passes all frames before it, so only short videos are
 * split further than into chunks, to keep several pages busy. The files do not depend on it.
 */
const screenshotShare = ({ frames }: Pick<RenderPlan, 'frames'>): number =>
  frames <= 480 ? 40 : Number.POSITIVE_INFINITY;

/** Captures with the browser's own screenshots. */
export async function screenshotChunks(given: CaptureJob): Promise<CapturedFrames> {
  const { job, complete } = await resumeCapture(given, 'screenshot');
  // JPEG is faster and changes colors by a few levels, which is good enough for a draft.
  const lossless = paintedPixels(job.plan) !== 'i420' || job.plan.quality !== 'draft';
  const shares = splitShares(job.plan.chunks, screenshotShare(job.plan));
  const captured = await runWorkers(job, shares, async (worker) => {
    let current: CapturePage | undefined;
    let results = noResults;
    const ready = [job.ready[worker]];
    const open = async () => {
      current = ready.pop() ?? (await openPage(job.page, 'plain')).page;
      job.page.check(current);
      return current;
    };
    const leave = async (page: CapturePage) => {
      const { sounds, faces, missing, postsWithoutEnd, limits } = await page.call('results');
      results = {
        sounds,
        faces: [...results.faces, ...faces],
        missing: [...results.missing, ...missing],
        postsWithoutEnd: results.postsWithoutEnd || postsWithoutEnd,
        limits: [...results.limits, ...limits],
      };
    };
    const source = openScreenshotSource(open, leave, job.plan, {
      format: lossless ? 'png' : 'jpeg',
      findRepeats: job.page.services.features.traits.repeats,
    });
    return { source, check: () => (current ? job.page.check(current) : undefined), results: async () => results };
  });
  return complete(captured);
}
