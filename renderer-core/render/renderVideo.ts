// Project folder in, one video file (or folder of frames) out.
import { availableParallelism, freemem } from 'node:os';
import { chooseSamples } from '../capture/samples.ts';
import { UserError } from '../errors.ts';
import { holdsSound } from '../media/encodeSound.ts';
import { joinSegments } from '../media/join.ts';
import type { ValueIssue } from '../model/values.ts';
import { formatFrameRate, frameTime } from '../plan/frameRate.ts';
import { completePlan, type RenderPlan } from '../plan/plan.ts';
import { CaptureDisagreement, type Captured, type CaptureJob, paintChunks, screenshotChunks } from './captureChunks.ts';
import type { Load } from './load.ts';
import { openOutput } from './output.ts';
import { withPages } from './pages.ts';
import { prepareRender } from './prepare.ts';
import { makeSoundtrack } from './soundtrack.ts';
import { askedWorkers, checkWorkers, chooseWorkers, type WorkerChoice } from './workers.ts';

/** What the caller asks for. Everything left out takes the default that `docs/render.md` lists. */
export type RenderRequest = {
  /** Project folder, absolute or relative to the working directory. */
  projectDir: string;
  /** Entry composition, relative to the project folder. Default `index.html`. */
  composition?: string;
  /** Values for the top-level composition's variables. */
  variables?: Record<string, unknown>;
  /** Turn variable issues into an error before a browser starts. */
  strictVariables?: boolean;
  /** Output file, or folder for png frames. Default `renders/<composition>.<ext>`. */
  output?: string;
  /** Frames per second: `30`, `29.97`, `30000/1001`. Default: the root's `data-fps`, else 30. */
  fps?: string;
  format?: string;
  codec?: string;
  quality?: string;
  /** 10-bit BT.2020 PQ in mp4 with h265. */
  hdr?: boolean;
  /** How many pages capture at once. Default: chosen from the machine. */
  workers?: number;
  /** Explicit browser and ffmpeg executables. */
  browserPath?: string;
  ffmpegPath?: string;
  /** Force a capture path; default: paint where it is proven equal, else screenshot. */
  capture?: 'auto' | 'paint' | 'screenshot';
  signal?: AbortSignal;
  onEvent?: (event: RenderEvent) => void;
};

export type RenderStage = 'check' | 'launch' | 'probe' | 'capture' | 'assemble';

/** What a render tells while it runs; `--progress=ndjson` prints one of these a line. */
export type RenderEvent =
  | { type: 'stage'; stage: RenderStage; message: string }
  | { type: 'warning'; message: string; issue?: ValueIssue }
  | { type: 'frames'; done: number; total: number; framesPerSecond: number; remainingSeconds: number | null }
  | { type: 'done'; report: RenderReport };

export type RenderReport = {
  output: string;
  frames: number;
  /** `30` or `30000/1001`. */
  fps: string;
  width: number;
  height: number;
  durationSeconds: number;
  bytes: number;
  elapsedMs: number;
  /** From the call to the first captured frame. */
  firstFrameMs: number;
  /** `directFrames`: in so many frames, footage came straight from its decoder, with the page laid over it. */
  capture: { path: 'paint' | 'screenshot'; reason: string; directFrames: number };
  workers: { count: number; reason: string };
  warnings: string[];
};

/** What a render would do, without doing it. Starts a browser only when the root declares no duration. */
export async function planRender(request: RenderRequest): Promise<{ plan: RenderPlan; warnings: string[] }> {
  const prepared = await prepareRender(request);
  const warnings = [...prepared.issues.map(({ message }) => message), ...prepared.warnings];
  if (prepared.draft.duration !== null) return { plan: completePlan(prepared.draft), warnings };
  return withPages(request, prepared, async ({ plan }) => ({ plan, warnings }));
}

/** Renders. Throws UserError; on any failure or abort nothing is left behind and an earlier output stays as it was. */
export async function renderVideo(request: RenderRequest): Promise<RenderReport> {
  const started = performance.now();
  const warnings: string[] = [];
  const emit = (event: RenderEvent) => {
    if (event.type === 'warning') warnings.push(event.message);
    request.onEvent?.(event);
  };
  emit({ type: 'stage', stage: 'check', message: 'Checking the project' });
  if (request.workers !== undefined) checkWorkers(request.workers);
  const prepared = await prepareRender(request);
  for (const issue of prepared.issues) emit({ type: 'warning', message: issue.message, issue });
  for (const message of prepared.warnings) emit({ type: 'warning', message });
  const output = await openOutput(prepared.draft.output, prepared.draft.format === 'png');
  try {
    const captured = await withPages({ ...request, onEvent: emit }, prepared, async (pages) => {
      const { plan } = pages;
      const progress = trackFrames(plan.frames, emit);
      const workers = countedWorkers(request.workers, plan, emit);
      const folder = plan.format === 'png' ? output.temporary : pages.workspace.folder;
      const job = { ...pages, folder, workers: workers.count, onFrames: progress.add };
      const { segments, sounds, directFrames, capture } = await captureAny(
        job,
        request.capture ?? 'auto',
        progress,
        emit,
      );
      if (plan.format !== 'png') {
        const sound = await makeSoundtrack(sounds, { ...pages, folder: pages.workspace.folder });
        for (const message of sound.warnings) emit({ type: 'warning', message });
        emit({
          type: 'stage',
          stage: 'assemble',
          message: `Joining ${segments.length} ${segments.length === 1 ? 'segment' : 'segments'}`,
        });
        const { format } = plan;
        const mixed = sound.file === null || !holdsSound(format) ? undefined : { file: sound.file, format };
        await joinSegments(pages.ffmpeg, segments, plan, pages.workspace.folder, output.temporary, pages.signal, mixed);
      }
      return {
        plan,
        workers: workers.choice(),
        capture: { ...capture, directFrames },
        firstFrame: progress.firstFrame(),
      };
    });
    const bytes = await output.commit();
    const { plan, workers, capture } = captured;
    const report: RenderReport = {
      output: output.path,
      frames: plan.frames,
      fps: formatFrameRate(plan.fps),
      width: plan.width,
      height: plan.height,
      durationSeconds: frameTime(plan.frames, plan.fps),
      bytes,
      elapsedMs: Math.round(performance.now() - started),
      firstFrameMs: Math.round(captured.firstFrame - started),
      capture,
      workers,
      warnings,
    };
    emit({ type: 'done', report });
    return report;
  } finally {
    await output.discard();
  }
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
  if (asked === undefined) emit({ type: 'stage', stage: 'capture', message: started });
  return { count: asked === undefined ? measured : tell(choice), choice: () => choice };
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

/** Paints where that is possible and proven equal to the browser's screenshot; else takes screenshots. */
async function captureAny(
  job: CaptureJob & { paintObstacle: string | null },
  asked: 'auto' | 'paint' | 'screenshot',
  progress: Progress,
  emit: (event: RenderEvent) => void,
): Promise<Captured & { capture: Omit<RenderReport['capture'], 'directFrames'> }> {
  if (asked === 'screenshot')
    return { ...(await screenshotChunks(job)), capture: { path: 'screenshot', reason: 'as asked' } };
  if (asked === 'paint') {
    if (job.paintObstacle) emit({ type: 'warning', message: `Painted frames may be wrong: ${job.paintObstacle}` });
    return { ...(await paintChunks(job, [])), capture: { path: 'paint', reason: 'as asked' } };
  }
  if (job.paintObstacle) {
    return { ...(await screenshotChunks(job)), capture: { path: 'screenshot', reason: job.paintObstacle } };
  }
  const samples = chooseSamples(job.plan.frames, job.plan.quality === 'draft' ? 2 : undefined);
  try {
    const captured = await paintChunks(job, samples);
    if (captured.plainSamples.length === samples.length) {
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
