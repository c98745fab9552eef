// Captures the chunks of a plan with the pages of one browser and encodes them: the part of a render that takes the time.
import { type CapturePage, type CaptureTarget, canvasSize } from '../capture/capturePage.ts';
import type { CapturedFrame, FrameSource } from '../capture/frameSource.ts';
import { type OwnScreenshots, openPaintSource, type PaintSource, slotsPerHalf } from '../capture/paintSource.ts';
import type { Sample } from '../capture/samples.ts';
import { openScreenshotSource } from '../capture/screenshotSource.ts';
import { UserError } from '../errors.ts';
import type { FrameInput } from '../media/frameFormat.ts';
import { discardFrames, startSegment } from '../media/segment.ts';
import { type Chunk, type Share, splitShares } from '../plan/chunks.ts';
import { hasAlpha } from '../plan/formats.ts';
import type { RenderPlan } from '../plan/renderPlan.ts';
import type { PageResults } from '../runtime/page.ts';
import { type ChunkEncoder, openChunkEncoder } from './chunkEncoder.ts';
import { deferred, untilAborted } from './promises.ts';
import { openReadyPage, remoteImageObstacle, withPageErrors } from './readyPage.ts';
import { resumeCapture } from './resumeCapture.ts';
import { createShareScheduler, type LaneShare, type ShareScheduler } from './shareScheduler.ts';
import type { CapturedFrames, CaptureJob } from './types.ts';
import { measureLoad } from './workers.ts';

/** The painted frames are not what the browser shows: the caller takes screenshots instead. */
export class CaptureDisagreement extends Error {}

/**
 * Captures with paint and compares `samples` with screenshots while it runs. Samples that are in no chunk are painted for
 * the comparison only. `trusted`: the page's painted frames are right, whatever it shows. Throws CaptureDisagreement.
 */
export async function paintChunks(
  job: CaptureJob,
  samples: readonly Sample[],
  trusted = false,
): Promise<CapturedFrames> {
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
    const workers: CaptureJob['workers'] = (shares) => {
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
    throw error instanceof UserError ? error : failed.signal.reason;
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
  const take: CaptureJob['early']['take'] = (input, chunk) =>
    isSample(chunk) ? discardFrames : job.early.take(input, chunk);
  return { ...job, plan, early: { ...job.early, take } };
}

/** Whether a chunk was added by `withSamples`. */
const isSample = ({ index }: Chunk): boolean => index < 0;

/** `onObstacle`: called when the page shows something that cannot be painted. */
async function openPaintWorker(
  job: CaptureJob,
  worker: number,
  samples: readonly Sample[],
  onObstacle?: (error: CaptureDisagreement) => void,
): Promise<Worker<PaintSource>> {
  const page = job.ready[worker] ?? (await openReadyPage(job, 'paint')).page;
  job.check(page);
  const check = () => {
    job.check(page);
    const obstacle = onObstacle ? (remoteImageObstacle(page) ?? source.obstacle()) : null;
    // It occurred during the render, so that perhaps no sample shows it.
    if (obstacle !== null) onObstacle?.(new CaptureDisagreement(obstacle));
  };
  const source = await openPaintSource(page, {
    ...canvasSize(job.target),
    pixels: needsPixels(job) ? 'rgb' : 'yuv',
    profile: job.launched.profile,
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

/** Whether the encoder needs the page's own pixels: for alpha, or for more than the 8 bits of the page's conversion. */
const needsPixels = ({ plan }: Pick<CaptureJob, 'plan'>): boolean => hasAlpha(plan) || plan.hdr;

/** The encoder input that painted pages produce. */
export function paintedInput(job: Pick<CaptureJob, 'plan'> & { target: CaptureTarget }): FrameInput {
  return { pixels: needsPixels(job) ? 'rgba' : 'i420', ...canvasSize(job.target) };
}

/** A share of painted frames has at most this many bytes, because its frames may have to wait in memory. */
const maxShareBytes = 64 * 2 ** 20;
const maxShareFrames = 30;

function paintShares(job: Pick<CaptureJob, 'plan' | 'target'>): Share[] {
  const { pixels, width, height } = paintedInput(job);
  const frameBytes = width * height * (pixels === 'i420' ? 1.5 : 4);
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
  const lossless = needsPixels(job) || job.plan.quality !== 'draft';
  const shares = splitShares(job.plan.chunks, screenshotShare(job.plan));
  const captured = await runWorkers(job, shares, async (worker) => {
    let current: CapturePage | undefined;
    let results = noResults;
    const ready = [job.ready[worker]];
    const open = async () => {
      current = ready.pop() ?? (await openReadyPage(job, 'plain')).page;
      job.check(current);
      return current;
    };
    const leave = async (page: CapturePage) => {
      const { sounds, faces, missing } = await page.call('results');
      results = { sounds, faces: [...results.faces, ...faces], missing: [...results.missing, ...missing] };
    };
    const source = openScreenshotSource(open, leave, job.plan, {
      format: lossless ? 'png' : 'jpeg',
      findRepeats: job.fastPaths.has('repeated-frames'),
    });
    return { source, check: () => (current ? job.check(current) : undefined), results: async () => results };
  });
  return complete(captured);
}

/**
 * A page that captures. `check` throws the page's error, if it has one. `results` are complete after the last frame.
 */
type Worker<Source extends FrameSource> = { source: Source; check(): void; results(): Promise<PageResults> };

/** Called for each captured frame; the promise it returns is awaited after the last chunk. */
type OnFrame<Source> = (source: Source, frame: number) => Promise<void> | undefined;

/** The load of a page is measured over this many frames of the first worker. */
const measuredFrames = 12;

/** Called with the number of frames that the first worker has captured. */
type OnCaptured = (frames: number) => Promise<void>;

/** Captures all chunks. If the number of workers depends on the load, the first worker starts and is measured. */
async function runWorkers<Source extends FrameSource>(
  given: CaptureJob,
  shares: readonly Share[],
  open: (worker: number) => Promise<Worker<Source>>,
  onFrame: OnFrame<Source> = () => undefined,
): Promise<CapturedFrames> {
  const stop = new AbortController();
  const job = { ...given, signal: AbortSignal.any([given.signal, stop.signal]) };
  const scheduler = createShareScheduler(job.plan.chunks, shares);
  const encoders = createEncoders(job, shares);
  const counted = deferred<number>();
  const run = (worker: number, onCaptured?: OnCaptured) =>
    runWorker(job, { worker, scheduler, encoders }, () => open(worker), onFrame, onCaptured);
  const others = counted.promise.then((count) =>
    Promise.all(Array.from({ length: Math.max(0, count - 1) }, (_, index) => run(index + 1))),
  );
  const first = countWorkers(job, shares.length, (count) => {
    scheduler.split(count);
    encoders.split(count);
    counted.resolve(count);
  }).then((onCaptured) => run(0, onCaptured));
  try {
    const [own, rest] = await Promise.all([first, others]);
    const done = [own, ...rest];
    return {
      segments: await encoders.paths(),
      encoded: encoders.encoded(),
      closed: Promise.all(done.map((part) => part.closed)),
      sounds: done.flatMap(({ results }) => results.sounds),
      faces: done.flatMap(({ results }) => results.faces),
      missing: done.flatMap(({ results }) => results.missing),
      passthroughFrames: done.reduce((sum, part) => sum + part.passthroughFrames, 0),
      plainSamples: [],
    };
  } catch (error) {
    stop.abort(error);
    counted.resolve(0);
    await Promise.allSettled([first, others]);
    throw error;
  }
}

type ChunkEncoders = ReturnType<typeof createEncoders>;

/** The encoders of the chunks; each one starts with the first frame of its chunk. */
function createEncoders(job: CaptureJob, shares: readonly Share[]) {
  const { chunks } = job.plan;
  const shareStarts = new Set(shares.map(({ start }) => start));
  const longestShare = Math.max(...shares.map(({ start, end }) => end - start));
  const encoders = new Map<Chunk, ChunkEncoder>();
  /** For each lane, the end of its newest encoder. */
  const lanes = new Map<number, Promise<void>>();
  let pagesPerChunk = 1;
  const open = ({ chunk, lane }: LaneShare): ChunkEncoder => {
    // Two encoders of a lane at once would need twice the memory.
    const before = lanes.get(lane);
    const start = async (input: FrameInput) => {
      await before;
      return job.early.take(input, chunk) ?? startSegment(job, input, chunk);
    };
    const maxHeld = () => longestShare * pagesPerChunk;
    const encoder = openChunkEncoder({ chunk, shareStarts, maxHeld, signal: job.signal, start });
    encoders.set(chunk, encoder);
    lanes.set(lane, encoder.encoded);
    if (!isSample(chunk)) void keepSegment(job, chunk, encoder);
    return encoder;
  };
  const all = () => chunks.flatMap((chunk) => (isSample(chunk) ? [] : (encoders.get(chunk) ?? [])));
  return {
    split(workers: number): void {
      pagesPerChunk = Math.max(2, Math.ceil(workers / chunks.length));
    },
    of: (share: LaneShare): ChunkEncoder => encoders.get(share.chunk) ?? open(share),
    paths: () => Promise.all(all().map(({ path }) => path)),
    encoded: () => Promise.all(all().map(({ encoded }) => encoded)),
  };
}

/** A segment that cannot be kept is captured again if the render is interrupted. */
async function keepSegment({ onSegment }: CaptureJob, chunk: Chunk, { encoded, path }: ChunkEncoder): Promise<void> {
  await encoded.then(async () => onSegment?.(chunk, await path)).catch(() => undefined);
}

/** Calls `decide` with the number of workers: now if it is known, else after enough frames have been measured. */
async function countWorkers(
  { workers, launched, now, plan }: CaptureJob,
  shares: number,
  decide: (count: number) => void,
): Promise<OnCaptured> {
  const count = workers(shares);
  if (typeof count === 'number') {
    decide(count);
    return async () => undefined;
  }
  const total = plan.chunks.reduce((sum, { start, end }) => sum + end - start, 0);
  const startedAt = now();
  const load = await measureLoad(launched, now);
  let captured = 0;
  /** The first frame takes longer than the others. */
  let first: { at: number; frames: number } | undefined;
  return async (frames) => {
    const before = captured;
    captured += frames;
    first ??= { at: now(), frames };
    if (before >= measuredFrames || captured < measuredFrames) return;
    const msPerFrame = (now() - first.at) / Math.max(1, captured - first.frames);
    const secondsToStart = (first.at - startedAt) / 1000;
    decide(count({ ...(await load()), secondsToStart, secondsLeft: ((total - captured) * msPerFrame) / 1000 }));
  };
}

type WorkerResult = Pick<CapturedFrames, 'closed' | 'passthroughFrames'> & { results: PageResults };

const noResults: PageResults = { sounds: [], faces: [], missing: [] };

type WorkerTurns = { worker: number; scheduler: ShareScheduler; encoders: ChunkEncoders };

/** Captures one worker's shares, one after another. Includes the sounds only if it captures the end of the video. */
async function runWorker<Source extends FrameSource>(
  job: CaptureJob,
  { worker, scheduler, encoders }: WorkerTurns,
  open: () => Promise<Worker<Source>>,
  onFrame: OnFrame<Source>,
  onCaptured: OnCaptured = async () => undefined,
): Promise<WorkerResult> {
  let share = scheduler.take(worker);
  if (!share) return { closed: Promise.resolve(), results: noResults, passthroughFrames: 0 };
  encoders.of(share);
  // A tab whose process dies while it opens never answers.
  const { source, check, results } = await untilAborted(open(), job.signal);
  const close = () => source.close().catch(() => undefined);
  try {
    const comparisons: Promise<unknown>[] = [];
    let last = 0;
    let passthroughFrames = 0;
    let current = share;
    const onCapturedFrame = async ({ frame, repeat, passthrough }: CapturedFrame): Promise<void> => {
      last = frame + repeat;
      if (passthrough) passthroughFrames += repeat;
      if (!isSample(current.chunk)) job.onFrames(repeat);
      await onCaptured(repeat);
    };
    for (; share; share = scheduler.take(worker)) {
      current = share;
      const extend = (): number => {
        current = scheduler.takeAfter(worker, current) ?? current;
        return current.end;
      };
      const frames = source.frames(share.start, share.end, extend);
      const capturing = captureFrames(job, source, frames, encoders.of(share), comparisons, onFrame, onCapturedFrame);
      await withPageErrors(capturing, check);
      // After an exception in the page, later frames are wrong.
      check();
      // A short share counts as measured when it ends.
      await onCaptured(measuredFrames);
    }
    await Promise.all(comparisons);
    const { sounds, ...fonts } = await results();
    const complete = last === job.plan.frames ? sounds : [];
    return { closed: close(), results: { sounds: complete, ...fonts }, passthroughFrames };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Captures one or more shares of a chunk. */
async function captureFrames<Source extends FrameSource>(
  job: CaptureJob,
  source: Source,
  frames: AsyncGenerator<CapturedFrame>,
  encoder: ChunkEncoder,
  comparisons: Promise<unknown>[],
  onFrame: OnFrame<Source>,
  onCapturedFrame: (captured: CapturedFrame) => Promise<void>,
): Promise<void> {
  for await (const captured of frames) {
    const { frame, repeat } = captured;
    job.signal.throwIfAborted();
    await encoder.write(captured, source.input);
    for (let copy = 0; copy < repeat; copy++) {
      const comparison = onFrame(source, frame + copy);
      if (!comparison) continue;
      // It is awaited after the last share; until then its failure must not count as unhandled.
      comparison.catch(() => undefined);
      comparisons.push(comparison);
    }
    await onCapturedFrame(captured);
  }
}
