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
import { openScreenshotSource, screenshot } from '../capture/screenshotSource.ts';
import { UserError } from '../errors.ts';
import { type SegmentJob, type SegmentWriter, startSegment } from '../media/segment.ts';
import type { Chunk } from '../plan/chunks.ts';
import { hasAlpha } from '../plan/formats.ts';
import type { RemoteAssets } from '../project/remoteAssets.ts';
import type { ProjectServer } from '../project/server.ts';
import type { Sound } from '../runtime/page.ts';
import { type Load, measureLoad } from './load.ts';
import { createShares } from './shares.ts';
import { untilAborted } from './untilAborted.ts';

export type CaptureJob = SegmentJob & {
  launched: LaunchedBrowser;
  server: ProjectServer;
  remote: RemoteAssets;
  target: CaptureTarget;
  /** How many pages capture: known, or told once the first has shown what it costs. */
  workers: number | ((load: Load) => number);
  /** Pages that are open and ready already, to be used first. */
  ready: CapturePage[];
  /** Called before a page is captured: throws what is wrong with it. */
  check(page: CapturePage): void;
  onFrames(count: number): void;
};

/**
 * Files of encoded frames in order, what sounds during them, in how many frames footage did not pass through the page,
 * and which of the sample frames show nothing but one colour.
 */
export type Captured = { segments: string[]; sounds: Sound[]; directFrames: number; plainSamples: number[] };

/** The painted frames are not what the browser shows: the caller takes screenshots instead. */
export class CaptureDisagreement extends Error {}

/** Opens a page around the composition and waits until it is ready for its first frame. */
export async function openReadyPage(
  job: Pick<CaptureJob, 'launched' | 'server' | 'remote' | 'target' | 'check'>,
  kind: keyof typeof pageKinds,
) {
  const page = await openCapturePage(job.launched, job.target, pageKinds[kind], job);
  return { page, info: await explained(page.call('ready'), () => job.check(page)) };
}

/** When `work` fails, `check` says better why: it throws what is known to be wrong with the page. */
async function explained<T>(work: Promise<T>, check: () => void): Promise<T> {
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
  const begin = deferred<void>();
  const shots = takeScreenshots({ ...job, signal }, samples, begin.promise);
  const { workers } = job;
  const counted = <Count>(count: Count): Count => {
    begin.resolve();
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
    return { ...captured, plainSamples };
  } catch (error) {
    job.signal.throwIfAborted();
    // What closing pages then does to a comparison under way must not hide a fault that has been found.
    throw failed.signal.aborted && !(error instanceof UserError) ? failed.signal.reason : error;
  } finally {
    failed.abort();
    begin.resolve();
    await shots.done;
  }
}

/** Why a page cannot be painted because of what it shows from other hosts. */
export function remotePictureObstacle(page: CapturePage): string | null {
  const url = page.remotePicture();
  return url === undefined ? null : `the browser does not paint what comes from another host (${url})`;
}
/** Whether the encoder needs the page's own pixels: for alpha, or for more bits than the page's conversion gives. */
const needsPixels = ({ plan }: CaptureJob): boolean => hasAlpha(plan) || plan.hdr;

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

type Share = { segments: { index: number; path: string }[]; sounds: Sound[]; directFrames: number };

/** One worker's part: its chunks, one after another, and the sounds when the last chunk of all is among them. */
async function captureShare<Source extends FrameSource>(
  job: CaptureJob,
  take: () => Chunk | undefined,
  open: () => Promise<Worker<Source>>,
  onFrame: OnFrame<Source>,
  onCaptured: OnCaptured = async () => undefined,
): Promise<Share> {
  const segments: Share['segments'] = [];
  let chunk = take();
  if (!chunk) return { segments, sounds: [], directFrames: 0 };
  // A tab whose process dies while it is opened answers nothing.
  const { source, check, sounds } = await untilAborted(open(), job.signal);
  try {
    const pending: Promise<unknown>[] = [];
    let encoder: Promise<void> = Promise.resolve();
    let last = 0;
    let directFrames = 0;
    const onPicture: OnPicture = ({ repeat, direct }) => {
      if (direct) directFrames += repeat;
      return onCaptured(repeat);
    };
    for (; chunk; chunk = take()) {
      const capturing = captureChunk(job, source, chunk, encoder, pending, onFrame, onPicture);
      const segment = await explained(capturing, check);
      segments.push({ index: chunk.index, path: segment.path });
      encoder = segment.finish();
      track(pending, encoder);
      // An exception in mid-render leaves the frames after it wrong.
      check();
      last = chunk.end;
      // A chunk too short to measure: it counts for what it was.
      await onCaptured(measuredFrames);
    }
    await Promise.all(pending);
    return { segments, sounds: last === job.plan.frames ? await sounds() : [], directFrames };
  } finally {
    await source.close().catch(() => undefined);
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
  pending: Promise<unknown>[],
  onFrame: OnFrame<Source>,
  onPicture: OnPicture,
): Promise<SegmentWriter> {
  const { signal } = job;
  const frames = source.frames(chunk.start, chunk.end);
  const first = frames.next();
  first.catch(() => undefined);
  await before;
  const segment = startSegment(job, source.input, chunk);
  for (let taken = await first; !taken.done; taken = await frames.next()) {
    const { frame, repeat, data, same } = taken.value;
    signal.throwIfAborted();
    await segment.write(data, repeat, same);
    for (let copy = 0; copy < repeat; copy++) {
      const check = onFrame(source, frame + copy);
      if (check) track(pending, check);
    }
    job.onFrames(repeat);
    await onPicture(taken.value);
  }
  return segment;
}

/** Keeps `work` for later without its failure counting as unhandled in between. */
function track(pending: Promise<unknown>[], work: Promise<unknown>): void {
  work.catch(() => undefined);
  pending.push(work);
}

let versions = 0;

/** The browser's own pictures of `frames`, taken by a page of its own while the others paint; served to those by URL. */
function takeScreenshots(
  job: CaptureJob,
  frames: number[],
  begin: Promise<void>,
): { of(frame: number): Promise<string>; done: Promise<void> } {
  const shots = new Map(frames.map((frame) => [frame, deferred<string>()]));
  // Browsers keep images: a render of the same address before this one must not be compared with.
  const version = versions++;
  const done = (async () => {
    await begin;
    // Whoever waits for a screenshot is told that none comes.
    job.signal.throwIfAborted();
    if (frames.length === 0) return;
    const { page } = await untilAborted(openReadyPage(job, 'sample'), job.signal);
    try {
      for (const [frame, shot] of shots) {
        job.signal.throwIfAborted();
        const path = `/__framework/screenshots/${frame}.png`;
        const body = await explained(screenshot(page, frame, job.plan, 'png'), () => job.check(page));
        job.server.setVirtual(path, { body, type: 'image/png' });
        shot.resolve(`${path}?${version}`);
      }
    } finally {
      await page.close();
    }
  })().catch((error) => {
    for (const shot of shots.values()) {
      shot.promise.catch(() => undefined);
      shot.reject(error);
    }
  });
  return { of: (frame) => shots.get(frame)?.promise ?? Promise.reject(new Error(`frame ${frame} is no sample`)), done };
}

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
