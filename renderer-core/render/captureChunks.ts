// Captures the chunks of a plan with the pages of one browser and encodes them: the part of a render that takes the time.
import {
  type CapturePage,
  type CaptureTarget,
  canvasSize,
  openCapturePage,
  pageKinds,
} from '../capture/capturePage.ts';
import type { CapturedFrame, FrameSource } from '../capture/frameSource.ts';
import { openPaintSource, type PaintSource } from '../capture/paintSource.ts';
import { agrees } from '../capture/samples.ts';
import { openScreenshotSource } from '../capture/screenshotSource.ts';
import { UserError } from '../errors.ts';
import type { FrameInput } from '../media/frameFormat.ts';
import { type SegmentWriter, startSegment } from '../media/segment.ts';
import { type Chunk, splitFrames } from '../plan/chunks.ts';
import { hasAlpha } from '../plan/formats.ts';
import type { Sound } from '../runtime/page.ts';
import { deferred, untilAborted } from './promises.ts';
import type { CapturedFrames, CaptureJob } from './types.ts';
import { type Load, measureLoad } from './workers.ts';

/** The painted frames are not what the browser shows: the caller takes screenshots instead. */
export class CaptureDisagreement extends Error {}

type PageJob = Pick<CaptureJob, 'launched' | 'server' | 'remote' | 'network' | 'target' | 'fastPaths' | 'check'>;

/** Opens a capture page with the composition and waits until it is ready for its first frame. */
export async function openReadyPage(job: PageJob, kind: keyof typeof pageKinds) {
  const page = await openCapturePage(job.launched, job.target, pageKinds[kind], job);
  return { page, info: await withPageErrors(page.call('ready'), () => job.check(page)) };
}

/** If `work` fails, `check` may throw a more precise error of the page in its place. */
export async function withPageErrors<T>(work: Promise<T>, check: () => void): Promise<T> {
  try {
    return await work;
  } catch (error) {
    check();
    throw error;
  }
}

/** Captures with paint and compares `samples` with screenshots while it runs. Throws CaptureDisagreement. */
export async function paintChunks(job: CaptureJob, samples: number[]): Promise<CapturedFrames> {
  const failed = new AbortController();
  const signal = AbortSignal.any([job.signal, failed.signal]);
  const stopAll = (error: unknown): never => {
    failed.abort(error);
    throw error;
  };
  const { workers } = job;
  // Screenshots are taken while others paint, but not before the load of painting has been measured.
  const takeSamples = <Count>(count: Count): Count => {
    job.samples.take(samples);
    return count;
  };
  const open = (worker: number) => openPaintWorker(job, worker, samples, stopAll);
  const plainSamples: number[] = [];
  const compare = async (source: PaintSource, frame: number): Promise<void> => {
    const comparison = await source.compare(frame, await job.samples.of(frame));
    if (comparison.isPlain) plainSamples.push(frame);
    if (agrees(comparison)) return;
    const worst = Math.min(comparison.psnr, comparison.worstTile);
    throw new CaptureDisagreement(
      `frame ${frame} painted differs from the browser's own screenshot (${worst.toFixed(1)} dB)`,
    );
  };
  try {
    const count = typeof workers === 'number' ? takeSamples(workers) : (load: Load) => takeSamples(workers(load));
    const captured = await runWorkers({ ...job, signal, workers: count }, open, (source, frame) =>
      samples.includes(frame) ? compare(source, frame).catch(stopAll) : undefined,
    );
    return { ...captured, closed: Promise.all([captured.closed, job.samples.close()]), plainSamples };
  } catch (error) {
    failed.abort(error);
    await job.samples.close();
    job.signal.throwIfAborted();
    // Closing pages also fails comparisons in progress; that must not hide the error that came first.
    throw error instanceof UserError ? error : failed.signal.reason;
  }
}

async function openPaintWorker(
  job: CaptureJob,
  worker: number,
  samples: number[],
  stopAll: (error: unknown) => never,
): Promise<Worker<PaintSource>> {
  const page = job.ready[worker] ?? (await openReadyPage(job, 'paint')).page;
  job.check(page);
  const check = () => {
    job.check(page);
    const obstacle = samples.length > 0 ? remoteImageObstacle(page) : null;
    // The image was added during the render, so that perhaps no sample shows it.
    if (obstacle !== null) stopAll(new CaptureDisagreement(obstacle));
  };
  const options = { ...canvasSize(job.target), profile: job.launched.profile, samples };
  const source = await openPaintSource(page, { ...options, pixels: needsPixels(job) ? 'rgb' : 'yuv' });
  return { check, sounds: () => page.call('sounds'), source };
}

/** Why a page cannot be painted because of an image or video from another host; null if it has none. */
export function remoteImageObstacle(page: CapturePage): string | null {
  const url = page.remoteImage();
  return url === undefined ? null : `the browser does not paint images and videos from other hosts (${url})`;
}

/** Whether the encoder needs the page's own pixels: for alpha, or for more than the 8 bits of the page's conversion. */
const needsPixels = ({ plan }: Pick<CaptureJob, 'plan'>): boolean => hasAlpha(plan) || plan.hdr;

/** The encoder input that painted pages produce. */
export function paintedInput(job: Pick<CaptureJob, 'plan'> & { target: CaptureTarget }): FrameInput {
  return { pixels: needsPixels(job) ? 'rgba' : 'i420', ...canvasSize(job.target) };
}

/** Captures with the browser's own screenshots. */
export function screenshotChunks(job: CaptureJob): Promise<CapturedFrames> {
  // JPEG is faster and changes colors by a few levels, which is good enough for a draft.
  const lossless = needsPixels(job) || job.plan.quality !== 'draft';
  return runWorkers(job, async (worker) => {
    let current: CapturePage | undefined;
    let sounds: Sound[] = [];
    const ready = [job.ready[worker]];
    const open = async () => {
      current = ready.pop() ?? (await openReadyPage(job, 'plain')).page;
      job.check(current);
      return current;
    };
    const leave = async (page: CapturePage) => {
      sounds = await page.call('sounds');
    };
    const source = openScreenshotSource(open, leave, job.plan, {
      format: lossless ? 'png' : 'jpeg',
      findRepeats: job.fastPaths.has('repeated-frames'),
    });
    return { source, check: () => (current ? job.check(current) : undefined), sounds: async () => sounds };
  });
}

/**
 * A page that captures. `check` throws the page's error, if it has one. `sounds` are complete after the last frame.
 */
type Worker<Source extends FrameSource> = { source: Source; check(): void; sounds(): Promise<Sound[]> };

/** Called for each captured frame; the promise it returns is awaited after the last chunk. */
type OnFrame<Source> = (source: Source, frame: number) => Promise<void> | undefined;

/** The load of a page is measured over this many frames of the first worker. */
const measuredFrames = 12;

/** Called with the number of frames that the first worker has captured. */
type OnCaptured = (frames: number) => Promise<void>;

/** Captures all chunks. If the number of workers depends on the load, the first worker starts and is measured. */
async function runWorkers<Source extends FrameSource>(
  job: CaptureJob,
  open: (worker: number) => Promise<Worker<Source>>,
  onFrame: OnFrame<Source> = () => undefined,
): Promise<CapturedFrames> {
  const stop = new AbortController();
  const scheduler = createChunkScheduler(job.plan.chunks);
  const counted = deferred<number>();
  const run = (worker: number, onCaptured?: OnCaptured) =>
    runWorker(
      { ...job, signal: AbortSignal.any([job.signal, stop.signal]) },
      () => scheduler.take(worker),
      () => open(worker),
      onFrame,
      onCaptured,
    );
  const others = counted.promise.then((count) =>
    Promise.all(Array.from({ length: Math.max(0, count - 1) }, (_, index) => run(index + 1))),
  );
  const first = countWorkers(job, (count) => {
    scheduler.split(count);
    counted.resolve(count);
  }).then((onCaptured) => run(0, onCaptured));
  try {
    const [own, rest] = await Promise.all([first, others]);
    const done = [own, ...rest];
    const segments = done.flatMap((part) => part.segments).sort((a, b) => a.index - b.index);
    return {
      segments: segments.map(({ path }) => path),
      encoded: Promise.all(done.map((part) => part.encoded)),
      closed: Promise.all(done.map((part) => part.closed)),
      sounds: done.flatMap(({ sounds }) => sounds),
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

export type ChunkScheduler = {
  /** The worker's next chunk; undefined if it has none left. */
  take(worker: number): Chunk | undefined;
  /** Divides the remaining chunks among `workers`; before that, all belong to worker 0. Call it once. */
  split(workers: number): void;
};

/** Assigns chunks to workers, in runs of neighbors: a page only moves forward and must replay the frames that it skips. */
export function createChunkScheduler(chunks: readonly Chunk[]): ChunkScheduler {
  let runs = [{ next: 0, end: chunks.length }];
  return {
    take(worker) {
      const run = runs[worker];
      return run && run.next < run.end ? chunks[run.next++] : undefined;
    },
    split(workers) {
      const taken = runs[0]?.next ?? 0;
      runs = splitFrames(chunks.length, workers).map(({ start, end }) => ({
        next: Math.max(start, taken),
        end: Math.max(end, taken),
      }));
    },
  };
}

/** Calls `decide` with the number of workers: now if it is known, else after enough frames have been measured. */
async function countWorkers(
  { workers, launched, now }: CaptureJob,
  decide: (count: number) => void,
): Promise<OnCaptured> {
  if (typeof workers === 'number') {
    decide(workers);
    return async () => undefined;
  }
  const load = await measureLoad(launched, now);
  let captured = 0;
  return async (frames) => {
    const before = captured;
    captured += frames;
    if (before < measuredFrames && captured >= measuredFrames) decide(workers(await load()));
  };
}

type WorkerResult = Pick<CapturedFrames, 'encoded' | 'closed' | 'sounds' | 'passthroughFrames'> & {
  segments: { index: number; path: string }[];
};

/** Captures one worker's chunks, one after another. Includes the sounds if it captures the end of the video. */
async function runWorker<Source extends FrameSource>(
  job: CaptureJob,
  take: () => Chunk | undefined,
  open: () => Promise<Worker<Source>>,
  onFrame: OnFrame<Source>,
  onCaptured: OnCaptured = async () => undefined,
): Promise<WorkerResult> {
  const segments: WorkerResult['segments'] = [];
  let encoded: Promise<void> = Promise.resolve();
  let chunk = take();
  if (!chunk) return { segments, encoded, closed: encoded, sounds: [], passthroughFrames: 0 };
  // A tab whose process dies while it opens never answers.
  const { source, check, sounds } = await untilAborted(open(), job.signal);
  const close = () => source.close().catch(() => undefined);
  try {
    const comparisons: Promise<unknown>[] = [];
    let last = 0;
    let passthroughFrames = 0;
    const onCapturedFrame = ({ repeat, passthrough }: CapturedFrame): Promise<void> => {
      if (passthrough) passthroughFrames += repeat;
      return onCaptured(repeat);
    };
    for (; chunk; chunk = take()) {
      const capturing = captureChunk(job, source, chunk, encoded, comparisons, onFrame, onCapturedFrame);
      const segment = await withPageErrors(capturing, check);
      segments.push({ index: chunk.index, path: segment.path });
      encoded = segment.finish();
      encoded.catch(() => undefined);
      // After an exception in the page, later frames are wrong.
      check();
      last = chunk.end;
      // A short chunk counts as measured when it ends.
      await onCaptured(measuredFrames);
    }
    await Promise.all(comparisons);
    const complete = last === job.plan.frames ? await sounds() : [];
    return { segments, encoded, closed: close(), sounds: complete, passthroughFrames };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Captures one chunk to one segment. Its encoder may still run while the page captures its next chunk. The encoder
 * starts when `before`, the encoder of the previous chunk, has ended: two at once would need twice the memory.
 */
async function captureChunk<Source extends FrameSource>(
  job: CaptureJob,
  source: Source,
  chunk: Chunk,
  before: Promise<void>,
  comparisons: Promise<unknown>[],
  onFrame: OnFrame<Source>,
  onCapturedFrame: (captured: CapturedFrame) => Promise<void>,
): Promise<SegmentWriter> {
  const { signal } = job;
  const frames = source.frames(chunk.start, chunk.end);
  const first = frames.next();
  first.catch(() => undefined);
  await before;
  const segment = job.early.take(source.input, chunk) ?? startSegment(job, source.input, chunk);
  for (let taken = await first; !taken.done; taken = await frames.next()) {
    const { frame, repeat, data, same } = taken.value;
    signal.throwIfAborted();
    await segment.write(data, repeat, same);
    for (let copy = 0; copy < repeat; copy++) {
      const comparison = onFrame(source, frame + copy);
      if (!comparison) continue;
      // It is awaited after the last chunk; until then its failure must not count as unhandled.
      comparison.catch(() => undefined);
      comparisons.push(comparison);
    }
    job.onFrames(repeat);
    await onCapturedFrame(taken.value);
  }
  return segment;
}
