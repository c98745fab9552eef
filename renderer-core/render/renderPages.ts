// Opened pages in, one video file (or folder of frames) out: captures, mixes, joins, reports.
import { availableParallelism, freemem } from 'node:os';
import { browserEnded } from '../capture/capturePage.ts';
import { chooseSamples } from '../capture/samples.ts';
import { UserError } from '../errors.ts';
import { holdsSound } from '../media/encodeSound.ts';
import { joinSegments } from '../media/join.ts';
import { formatFrameRate, frameTime } from '../plan/frameRate.ts';
import type { RenderPlan } from '../plan/plan.ts';
import { CaptureDisagreement, type Captured, type CaptureJob, paintChunks, screenshotChunks } from './captureChunks.ts';
import type { Load } from './load.ts';
import type { OutputTarget } from './output.ts';
import type { Pages } from './pages.ts';
import type { RenderEvent, RenderReport, RenderRequest } from './renderVideo.ts';
import { makeSoundtrack } from './soundtrack.ts';
import { askedWorkers, chooseWorkers, type WorkerChoice } from './workers.ts';

export type Telling = {
  /** When the render began, as `performance.now` has it. */
  started: number;
  /** What has been warned of up to now; grows. */
  warnings: string[];
  emit(event: RenderEvent): void;
};

/** `sample` picks those of the sample frames that are compared; all of them where it is left out. */
export type CaptureOptions = Pick<RenderRequest, 'workers' | 'capture'> & { sample?: (frames: number[]) => number[] };

/** Throws UserError; `output` is left uncommitted then. */
export async function renderPages(
  request: CaptureOptions,
  pages: Pages,
  output: OutputTarget,
  telling: Telling,
): Promise<RenderReport> {
  const { finish } = await capturePages(request, pages, output, telling);
  return finish();
}

/** The frames that are compared with the browser's own screenshots. */
export const sampleFrames = ({ frames, quality }: Pick<RenderPlan, 'frames' | 'quality'>): number[] =>
  chooseSamples(frames, quality === 'draft' ? 2 : undefined);

/** Captures all frames. `left` resolves when the pages are closed; `finish` makes the file, which does not need them. */
export async function capturePages(
  request: CaptureOptions,
  pages: Pages,
  output: OutputTarget,
  { started, warnings, emit }: Telling,
): Promise<{ path: 'paint' | 'screenshot'; left: Promise<unknown>; finish(): Promise<RenderReport> }> {
  const { plan } = pages;
  const progress = trackFrames(plan.frames, emit);
  const workers = countedWorkers(request.workers, plan, emit);
  const folder = plan.format === 'png' ? output.temporary : pages.folder;
  const job = { ...pages, folder, workers: workers.count, onFrames: progress.add };
  const captured = await captureWhole(job, request, progress, emit);
  // Without `finish` nobody waits for the encoders.
  captured.encoded.catch(() => undefined);
  const finish = async (): Promise<RenderReport> => {
    await captured.encoded;
    if (plan.format !== 'png') await join(pages, captured, output.temporary, emit);
    const report: RenderReport = {
      bytes: await output.commit(),
      output: output.path,
      frames: plan.frames,
      fps: formatFrameRate(plan.fps),
      width: plan.width,
      height: plan.height,
      durationSeconds: frameTime(plan.frames, plan.fps),
      elapsedMs: Math.round(performance.now() - started),
      firstFrameMs: Math.round(progress.firstFrame() - started),
      capture: { ...captured.capture, directFrames: captured.directFrames },
      workers: workers.choice(),
      warnings,
    };
    emit({ type: 'done', report });
    return report;
  };
  return { path: captured.capture.path, left: captured.left, finish };
}

/** Captures the chunks of a plan that may be a part of a video, and tells frames of them as events. */
export function captureFrames(
  pages: Pages,
  options: CaptureOptions & { workers: number },
  emit: (event: RenderEvent) => void,
): Promise<CapturedAnyhow> {
  const frames = pages.plan.chunks.reduce((sum, { start, end }) => sum + end - start, 0);
  const progress = trackFrames(frames, emit);
  return captureWhole({ ...pages, workers: options.workers, onFrames: progress.add }, options, progress, emit);
}

function captureWhole(...[job, options, progress, emit]: Parameters<typeof captureAny>): Promise<CapturedAnyhow> {
  return captureAny(job, options, progress, emit).catch((error) => {
    // What the driver says of a browser that is gone depends on what it was just doing.
    throw error instanceof UserError || job.launched.browser.connected ? error : browserEnded(error);
  });
}

/** Segments and sound to one file. */
async function join(
  pages: Pages,
  { segments, sounds }: Captured,
  output: string,
  emit: (event: RenderEvent) => void,
): Promise<void> {
  const { plan, ffmpeg, folder, signal } = pages;
  const sound = await makeSoundtrack(sounds, pages);
  for (const message of sound.warnings) emit({ type: 'warning', message });
  const what = `${segments.length} ${segments.length === 1 ? 'segment' : 'segments'}`;
  emit({ type: 'stage', stage: 'assemble', message: `Joining ${what}` });
  const { format } = plan;
  const mixed = sound.file === null || !holdsSound(format) ? undefined : { file: sound.file, format };
  await joinSegments(ffmpeg, segments, plan, folder, output, signal, mixed);
}

/** The number of pages as capture asks for it; `choice` is what came of it. */
function countedWorkers(asked: number | undefined, plan: RenderPlan, emit: (event: RenderEvent) => void) {
  const chunks = plan.chunks.length;
  const started = `Rendering ${plan.frames} ${plan.frames === 1 ? 'frame' : 'frames'}`;
  let choice: WorkerChoice = askedWorkers(asked ?? 1, chunks);
  const tell = (chosen: WorkerChoice): number => {
    choice = chosen;
    const pages = chosen.count === 1 ? 'page' : 'pages';
    emit({ type: 'stage', stage: 'capture', message: `${started} with ${chosen.count} ${pages} (${chosen.reason})` });
    return chosen.count;
  };
  const measured = (load: Load): number =>
    tell(chooseWorkers(load, chunks, { cores: availableParallelism(), freeMemory: freemem() }));
  if (asked !== undefined) return { count: tell(choice), choice: () => choice };
  // With a single chunk there is nothing to choose, and nothing to measure for it.
  if (chunks === 1) return { count: tell({ count: 1, reason: 'one for each of 1 chunk' }), choice: () => choice };
  emit({ type: 'stage', stage: 'capture', message: started });
  return { count: measured, choice: () => choice };
}

/** People read ten numbers a second at most. */
const progressIntervalMs = 100;

/** The speed told is that of this long a time up to now: a slow start does not haunt the estimate. */
const speedWindowMs = 3000;

/** Counts frames as they come and tells how fast they do. */
function trackFrames(total: number, emit: (event: RenderEvent) => void) {
  let past = [{ at: performance.now(), done: 0 }];
  let done = 0;
  let first: number | undefined;
  let told = 0;
  return {
    add(count: number) {
      const now = performance.now();
      first ??= now;
      done += count;
      if (now - told < progressIntervalMs && done < total) return;
      told = now;
      past = [
        ...past.filter(({ at }, index) => now - at < speedWindowMs || index === past.length - 1),
        { at: now, done },
      ];
      const since = past[0] ?? { at: now, done };
      const framesPerSecond = ((done - since.done) / Math.max(1, now - since.at)) * 1000;
      const remainingSeconds = framesPerSecond > 0 ? (total - done) / framesPerSecond : null;
      emit({ type: 'frames', done, total, framesPerSecond, remainingSeconds });
    },
    reset() {
      done = 0;
      past = [{ at: performance.now(), done: 0 }];
    },
    firstFrame: () => first ?? performance.now(),
  };
}

type Progress = ReturnType<typeof trackFrames>;

type CapturedAnyhow = Captured & { capture: Omit<RenderReport['capture'], 'directFrames'> };

/** Paints where that is possible and proven equal to the browser's screenshot; else takes screenshots. */
async function captureAny(
  job: CaptureJob & { paintObstacle: string | null },
  { capture: asked = 'auto', sample = (frames) => frames }: CaptureOptions,
  progress: Progress,
  emit: (event: RenderEvent) => void,
): Promise<CapturedAnyhow> {
  if (asked === 'screenshot')
    return { ...(await screenshotChunks(job)), capture: { path: 'screenshot', reason: 'as asked' } };
  if (asked === 'paint') {
    if (job.paintObstacle) emit({ type: 'warning', message: `Painted frames may be wrong: ${job.paintObstacle}` });
    return { ...(await paintChunks(job, [])), capture: { path: 'paint', reason: 'as asked' } };
  }
  if (job.paintObstacle) {
    return { ...(await screenshotChunks(job)), capture: { path: 'screenshot', reason: job.paintObstacle } };
  }
  const all = sampleFrames(job.plan);
  const samples = sample(all);
  try {
    const captured = await paintChunks(job, samples);
    // One frame alone may well be the beginning of a fade.
    if (samples.length === all.length && captured.plainSamples.length === samples.length) {
      const shown = samples.length === 1 ? `Frame ${samples[0]} shows` : `Frames ${samples.join(', ')} show`;
      emit({ type: 'warning', message: `${shown} nothing but one colour: is something missing from the composition?` });
    }
    const agreed = `${samples.length} sample ${samples.length === 1 ? 'frame agrees' : 'frames agree'} with the browser's own screenshots`;
    return { ...captured, capture: { path: 'paint', reason: agreed } };
  } catch (error) {
    // What the browser dies of when it draws a page into a canvas it may well show.
    const isCrash = error instanceof UserError && error.code === 'page_crashed';
    if (!(error instanceof CaptureDisagreement || isCrash)) throw error;
    const reason = isCrash ? 'the page crashed when it was painted' : error.message;
    emit({ type: 'warning', message: `Taking screenshots instead, which is slower: ${reason}` });
    progress.reset();
    return { ...(await screenshotChunks({ ...job, ready: [] })), capture: { path: 'screenshot', reason } };
  }
}
