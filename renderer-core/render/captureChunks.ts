// Takes every chunk of a plan from pages of one browser and encodes it: the part of a render that takes the time.
import {
  type CapturePage,
  type CaptureTarget,
  canvasSize,
  openCapturePage,
  pageKinds,
} from '../capture/capturePage.ts';
import type { CapturedFrame, FrameSource } from '../capture/frameSource.ts';
import type { LaunchedBrowser } from '../capture/launch.ts';
import { openPaintSource, type PaintSource } from '../capture/paintSource.ts';
import { agrees } from '../capture/samples.ts';
import { openScreenshotSource } from '../capture/screenshotSource.ts';
import { UserError } from '../errors.ts';
import type { PictureInput } from '../media/pictures.ts';
import { type SegmentJob, type SegmentWriter, startSegment } from '../media/segment.ts';
import type { Chunk } from '../plan/chunks.ts';
import { hasAlpha } from '../plan/formats.ts';
import type { Network } from '../project/publicFetch.ts';
import type { RemoteAssets } from '../project/remoteAssets.ts';
import type { ProjectServer } from '../project/server.ts';
import type { Sound } from '../runtime/page.ts';
import { deferred } from './deferred.ts';
import type { EarlyEncoder } from './earlyEncoder.ts';
import { type Load, measureLoad } from './load.ts';
import type { SampleShots } from './sampleShots.ts';
import { createShares } from './shares.ts';
import { untilAborted } from './untilAborted.ts';

export type CaptureJob = SegmentJob & {
  launched: LaunchedBrowser;
  server: ProjectServer;
  remote: RemoteAssets;
  network: Network;
  target: CaptureTarget;
  /** How many pages capture: known, or told once the first has shown what it costs. */
  workers: number | ((load: Load) => number);
  /** Pages that are open and ready already, to be used first. */
  ready: CapturePage[];
  shots: SampleShots;
  early: EarlyEncoder;
  /** Called before a page is captured: throws what is wrong with it. */
  check(page: CapturePage): void;
  onFrames(count: number): void;
};

/** All frames have left their pages. */
export type Captured = {
  /** Files of encoded frames, in order. */
  segments: string[];
  /** Resolves when the segments are whole. */
  encoded: Promise<unknown>;
  /** Resolves when the pages are closed. */
  left: Promise<unknown>;
  sounds: Sound[];
  /** In how many frames footage did not pass through the page. */
  directFrames: number;
  /** Which of the sample frames show nothing but one colour. */
  plainSamples: number[];
};

/** The painted frames are not what the browser shows: the caller takes screenshots instead. */
export class CaptureDisagreement extends Error {}

/** Opens a page around the composition and waits until it is ready for its first frame. */
export async function openReadyPage(
  job: Pick<CaptureJob, 'launched' | 'server' | 'remote' | 'network' | 'target' | 'check'>,
  kind: keyof typeof pageKinds,
) {
  const page = await openCapturePage(job.launched, job.target, pageKinds[kind], job);
  return { page, info: await explained(page.call('ready'), () => job.check(page)) };
}

/** When `work` fails, `check` says better why: it throws what is known to be wrong with the page. */
export async function explained<T>(work: Promise<T>, check: () => void): Promise<T> {
  try {
    return await work;
  } catch (error) {
    check();
    throw error;
  }
}

/** Captures with paint and compares `samples` with screenshots while it runs. Throws CaptureDisagreement. */
export async function paintChunks(job: CaptureJob, samples: number[]): Promise<Captured> {
  const failed = new AbortController();
  const signal = AbortSignal.any([job.signal, failed.signal]);
  const stopAll = (error: unknown): never => {
    failed.abort(error);
    throw error;
  };
  // Screenshots are taken beside the painting, but not while it is measured what that costs.
  const { workers, shots } = job;
  const counted = <Count>(count: Count): Count => {
    shots.take(samples);
    return count;
  };
  const open = async (worker: number): Promise<Worker<PaintSource>> => {
    const page = job.ready[worker] ?? (await openReadyPage(job, 'paint')).page;
    job.check(page);
    const check = () => {
      job.check(page);
      const obstacle = samples.length > 0 ? remotePictureObstacle(page) : null;
      // It came in mid-render: none of the samples may show it.
      if (obstacle !== null) stopAll(new CaptureDisagreement(obstacle));
    };
    const options = { ...canvasSize(job.target), profile: job.launched.profile, samples };
    const pixels = needsPixels(job) ? 'rgb' : 'yuv';
    return { check, sounds: () => page.call('sounds'), source: await openPaintSource(page, { ...options, pixels }) };
  };
  const plainSamples: number[] = [];
  const compare = async (source: PaintSource, frame: number): Promise<void> => {
    const comparison = await source.compare(frame, await shots.of(frame));
    if (comparison.isPlain) plainSamples.push(frame);
    if (agrees(comparison)) return;
    const worst = Math.min(comparison.psnr, comparison.worstTile);
    throw new CaptureDisagreement(
      `frame ${frame} painted differs from the browser's own screenshot (${worst.toFixed(1)} dB)`,
    );
  };
  try {
    const count = typeof workers === 'number' ? counted(workers) : (load: Load) => counted(workers(load));
    const captured = await runWorkers({ ...job, signal, workers: count }, open, (source, frame) =>
      samples.includes(frame) ? compare(source, frame).catch(stopAll) : undefined,
    );
    return { ...captured, left: Promise.all([captured.left, shots.close()]), plainSamples };
  } catch (error) {
    failed.abort(error);
    await shots.close();
    job.signal.throwIfAborted();
    // What closing pages then does to a comparison under way must not hide a fault that has been found.
    throw error instanceof UserError ? error : failed.signal.reason;
  }
}

/** Why a page cannot be painted because of what it shows from other hosts. */
export function remotePictureObstacle(page: CapturePage): string | null {
  const url = page.remotePicture();
  return url === undefined ? null : `the browser does not paint what comes from another host (${url})`;
}
/** Whether the encoder needs the page's own pixels: for alpha, or for more bits than the page's conversion gives. */
const needsPixels = ({ plan }: Pick<CaptureJob, 'plan'>): boolean => hasAlpha(plan) || plan.hdr;

/** What encoders get of painted pages. */
export function paintedInput(job: Pick<CaptureJob, 'plan' | 'target'>): PictureInput {
  return { pixels: needsPixels(job) ? 'rgba' : 'i420', ...canvasSize(job.target) };
}

/** Captures with the browser's own screenshots. */
export function screenshotChunks(job: CaptureJob): Promise<Captured> {
  // JPEG is faster and costs a few levels of colour: good enough for a draft.
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
    const source = openScreenshotSource(open, leave, job.plan, lossless ? 'png' : 'jpeg');
    return { source, check: () => (current ? job.check(current) : undefined), sounds: async () => sounds };
  });
}

/**
 * `check` throws what has gone wrong in the worker's page since the last look. `sounds` are complete when the page has
 * shown the last frame.
 */
type Worker<Source extends FrameSource> = { source: Source; check(): void; sounds(): Promise<Sound[]> };

/** Looks at a frame that has been captured; what it resolves to is waited for in the end. */
type OnFrame<Source> = (source: Source, frame: number) => Promise<void> | undefined;

/** So many frames of the first worker tell what a page costs. */
const measuredFrames = 12;

/** Told of the frames that the first worker has captured. */
type OnCaptured = (frames: number) => Promise<void>;

/** Told of each picture once it is with the encoder. */
type OnPicture = (picture: CapturedFrame) => Promise<void>;

/** Captures all chunks. The first worker begins alone where the number of workers depends on what it costs. */
async function runWorkers<Source extends FrameSource>(
  job: CaptureJob,
  open: (worker: number) => Promise<Worker<Source>>,
  onFrame: OnFrame<Source> = () => undefined,
): Promise<Captured> {
  const stop = new AbortController();
  const shares = createShares(job.plan.chunks);
  const counted = deferred<number>();
  const run = (worker: number, onCaptured?: OnCaptured) =>
    captureShare(
      { ...job, signal: AbortSignal.any([job.signal, stop.signal]) },
      () => shares.take(worker),
      () => open(worker),
      onFrame,
      onCaptured,
    );
  const others = counted.promise.then((count) =>
    Promise.all(Array.from({ length: Math.max(0, count - 1) }, (_, index) => run(index + 1))),
  );
  const first = countWorkers(job, (count) => {
    shares.split(count);
    counted.resolve(count);
  }).then((onCaptured) => run(0, onCaptured));
  try {
    const [own, rest] = await Promise.all([first, others]);
    const done = [own, ...rest];
    const segments = done.flatMap((share) => share.segments).sort((a, b) => a.index - b.index);
    return {
      segments: segments.map(({ path }) => path),
      encoded: Promise.all(done.map((share) => share.encoded)),
      left: Promise.all(done.map((share) => share.left)),
      sounds: done.flatMap(({ sounds }) => sounds),
      directFrames: done.reduce((sum, share) => sum + share.directFrames, 0),
      plainSamples: [],
    };
  } catch (error) {
    stop.abort(error);
    counted.resolve(0);
    await Promise.allSettled([first, others]);
    throw error;
  }
}

/** Tells the number of workers: at once where it is known, else when enough frames have been captured to measure. */
async function countWorkers({ workers, launched }: CaptureJob, decide: (count: number) => void): Promise<OnCaptured> {
  if (typeof workers === 'number') {
    decide(workers);
    return async () => undefined;
  }
  const load = await measureLoad(launched);
  let captured = 0;
  return async (frames) => {
    const before = captured;
    captured += frames;
    if (before < measuredFrames && captured >= measuredFrames) decide(workers(await load()));
  };
}

type Share = Pick<Captured, 'encoded' | 'left' | 'sounds' | 'directFrames'> & {
  segments: { index: number; path: string }[];
};

/** One worker's part: its chunks, one after another, and the sounds when the last chunk of all is among them. */
async function captureShare<Source extends FrameSource>(
  job: CaptureJob,
  take: () => Chunk | undefined,
  open: () => Promise<Worker<Source>>,
  onFrame: OnFrame<Source>,
  onCaptured: OnCaptured = async () => undefined,
): Promise<Share> {
  const segments: Share['segments'] = [];
  let encoded: Promise<void> = Promise.resolve();
  let chunk = take();
  if (!chunk) return { segments, encoded, left: encoded, sounds: [], directFrames: 0 };
  // A tab whose process dies while it is opened answers nothing.
  const { source, check, sounds } = await untilAborted(open(), job.signal);
  const leave = () => source.close().catch(() => undefined);
  try {
    const comparisons: Promise<unknown>[] = [];
    let last = 0;
    let directFrames = 0;
    const onPicture: OnPicture = ({ repeat, direct }) => {
      if (direct) directFrames += repeat;
      return onCaptured(repeat);
    };
    for (; chunk; chunk = take()) {
      const capturing = captureChunk(job, source, chunk, encoded, comparisons, onFrame, onPicture);
      const segment = await explained(capturing, check);
      segments.push({ index: chunk.index, path: segment.path });
      encoded = segment.finish();
      encoded.catch(() => undefined);
      // An exception in mid-render leaves the frames after it wrong.
      check();
      last = chunk.end;
      // A chunk too short to measure: it counts for what it was.
      await onCaptured(measuredFrames);
    }
    await Promise.all(comparisons);
    const sounding = last === job.plan.frames ? await sounds() : [];
    return { segments, encoded, left: leave(), sounds: sounding, directFrames };
  } catch (error) {
    await leave();
    throw error;
  }
}

/**
 * One chunk to one segment, whose encoder is left to end while the page goes on to its next chunk. It starts when
 * `before`, the encoder of the chunk before, has ended: two at once would need twice the memory.
 */
async function captureChunk<Source extends FrameSource>(
  job: CaptureJob,
  source: Source,
  chunk: Chunk,
  before: Promise<void>,
  comparisons: Promise<unknown>[],
  onFrame: OnFrame<Source>,
  onPicture: OnPicture,
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
      // It is waited for in the end; until then its failure must not count as unhandled.
      comparison.catch(() => undefined);
      comparisons.push(comparison);
    }
    job.onFrames(repeat);
    await onPicture(taken.value);
  }
  return segment;
}
