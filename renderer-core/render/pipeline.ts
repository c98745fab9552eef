// The render pipeline. Every render goes through these stages, and each stage returns what the next one needs (types.ts):
//
//   1. prepare   reads the project, checks values and options       -> PreparedRender   (prepare.ts)
//   2. launch    ffmpeg, browser, temporary folder, project server  -> RenderPlace
//   3. probe     loads the composition; its length is known now     -> ProbedRender     (probe.ts)
//   4. capture   frames from pages to encoders, chunk by chunk      -> CaptureResult    (captureChunks.ts)
//   5. encode    waits for the encoders                             -> segment files
//   6. mux       mixes the sound and joins the segments             -> one file
//
// `renderVideo` runs all of them. A batch (batch/batchWorker.ts) repeats 3 to 6 in one session; a snapshot
// (snapshot/takeSnapshot.ts) captures single frames; chunkRender.ts runs 3 to 5 for one chunk, anywhere, and 6 at the end.
import * as l10n from '@vscode/l10n';
import { browserEnded } from '../capture/capturePage.ts';
import { planSamples, type Sample } from '../capture/samples.ts';
import { UserError } from '../errors.ts';
import { holdsSound } from '../media/encodeSound.ts';
import { joinSegments, type StreamedJoin } from '../media/join.ts';
import { missingWarnings, shownFonts } from '../plan/fonts/shownFonts.ts';
import { formatFrameRate, frameTime } from '../plan/frameRate.ts';
import { completePlan } from '../plan/plan.ts';
import { posterInVideo } from '../plan/posterTime.ts';
import type { RenderPlan } from '../plan/renderPlan.ts';
import { locatedMessage } from '../plan/valueProblems.ts';
import type { OutputTarget } from '../project/outputTarget.ts';
import type { Sound } from '../runtime/page.ts';
import { CaptureDisagreement, paintChunks, screenshotChunks } from './captureChunks.ts';
import { type KeptSegments, openKeptSegments } from './keptSegments.ts';
import { openOutput } from './output.ts';
import { pickDefined, prepare } from './prepare.ts';
import { fallbackWarning, probe } from './probe.ts';
import { findObstacle } from './readyPage.ts';
import type { RenderEvent, RenderReport } from './renderReport.ts';
import { type SessionOptions, withSession } from './session.ts';
import { makeSoundtrack, type SoundtrackJob } from './soundtrack.ts';
import type {
  CaptureDecision,
  CapturedFrames,
  CaptureJob,
  CaptureOptions,
  CaptureResult,
  PreparedRender,
  ProbedRender,
  ProgressReporter,
  RenderPlace,
  RenderRequest,
  Resumable,
} from './types.ts';
import {
  checkWorkers,
  chooseWorkers,
  type Load,
  type Machine,
  requestedWorkers,
  type WorkerChoice,
} from './workers.ts';

/**
 * Renders a project to one video file, or to a folder of frames. Throws UserError. On any failure or abort nothing is
 * left behind, and an earlier output stays as it was. `now`: milliseconds on a clock that only moves forward.
 */
export function renderVideo(request: RenderRequest, now?: () => number): Promise<RenderReport> {
  return renderWith(launch, { gpu: 'auto', ...request }, now);
}

/** `renderVideo` that continues an interrupted one, and can itself be continued. Not for png. */
export function renderResumable(request: RenderRequest & Resumable, now?: () => number): Promise<RenderReport> {
  return renderWith(launch, { gpu: 'auto', ...request }, now);
}

/** `renderVideo` with another stage 2: `launchStage` may use a session that is already open. */
export async function renderWith(
  launchStage: typeof launch,
  request: RenderRequest & Partial<Resumable>,
  now: () => number = () => performance.now(),
): Promise<RenderReport> {
  const progress = reportProgress(request.onEvent, now);
  const { emit } = progress;
  emit({ type: 'stage', stage: 'check', message: l10n.t('Checking the project') });
  if (request.workers !== undefined) checkWorkers(request.workers);
  const prepared = await prepare(request);
  emitWarnings(prepared, emit);
  const output = await openOutput(prepared.draft.output, prepared.draft.format, request);
  try {
    emit({ type: 'stage', stage: 'launch', message: l10n.t('Starting the browser') });
    return await launchStage({ ...request, root: prepared.root }, async (place) => {
      const probed = await probe({ ...request, onEvent: emit }, prepared, place);
      await request.onPlan?.(probed.plan);
      const kept = await keptSegments(request, probed);
      const options = { ...videoOptions(request, probed, output, emit), ...(kept ? { kept } : {}) };
      const captured = await capture(probed, options, progress);
      return finishVideo(captured, probed, output, progress);
    });
  } finally {
    await output.discard();
  }
}

/** Everything that determines what is in a segment decides which ones can be used again. */
async function keptSegments(
  { segments }: Partial<Resumable>,
  { plan, encoder, ffmpeg, launched, remote }: ProbedRender,
): Promise<KeptSegments | undefined> {
  if (!segments || plan.format === 'png' || remote.isUsed()) return undefined;
  const { output: _, ...facts } = plan;
  const { version, graphics, paced } = launched;
  return openKeptSegments(segments.folder, [segments.key, facts, encoder, ffmpeg, version, graphics, paced]);
}

/** Emits the warnings that are known before a browser starts. */
export function emitWarnings({ valueProblems, warnings }: PreparedRender, emit: ProgressReporter['emit']): void {
  for (const problem of valueProblems) {
    const { issue } = problem;
    emit({ type: 'warning', message: locatedMessage(problem), ...(issue ? { issue } : {}) });
  }
  for (const message of warnings) emit({ type: 'warning', message });
}

/** Returns what a render would do. Starts a browser only if the root declares no duration. Throws UserError. */
export async function planRender(request: RenderRequest): Promise<{ plan: RenderPlan; warnings: string[] }> {
  const prepared = await prepare(request);
  const warnings = [...prepared.valueProblems.map(locatedMessage), ...prepared.warnings];
  if (prepared.draft.duration !== null)
    return { plan: completePlan(prepared.draft, null, request.chunkFrames), warnings };
  request.onEvent?.({ type: 'stage', stage: 'launch', message: l10n.t('Starting the browser') });
  return launch({ ...request, root: prepared.root }, async (place) => {
    const { plan } = await probe(request, prepared, place);
    return { plan, warnings };
  });
}

/** Stage 2. Runs `use` in a new session for one render, and closes everything afterwards. */
export function launch<T>(options: SessionOptions, use: (place: RenderPlace) => Promise<T>): Promise<T> {
  return withSession(options, async (session) =>
    use({ session, site: await session.openSite(), browsers: session.openBrowsers(false) }),
  );
}

/**
 * Stage 4. Captures the chunks of the plan. Frames are painted if that is possible and proven to equal the browser's
 * screenshots; otherwise they are screenshots. Throws UserError.
 */
export async function capture(
  probed: ProbedRender,
  options: CaptureOptions,
  progress: ProgressReporter,
): Promise<CaptureResult> {
  const frames = countFrames(
    probed.plan.chunks.reduce((sum, { start, end }) => sum + end - start, 0),
    progress,
  );
  const job: CaptureJob & PaintFacts = {
    ...probed,
    folder: options.folder ?? probed.folder,
    workers: options.workers.count,
    now: progress.now,
    onFrames: frames.add,
    ...pickDefined(options, ['kept']),
  };
  const captured = await captureWithFallback(job, options, frames, progress.emit).catch((error) => {
    // The browser driver's message for a browser that has ended depends on what the driver was doing.
    throw error instanceof UserError || job.launched.browser.connected ? error : browserEnded(error);
  });
  // `encode` reports a failure; until then it must not count as unhandled.
  captured.encoded.catch(() => undefined);
  for (const message of missingWarnings(captured.missing, probed.graph)) progress.emit({ type: 'warning', message });
  const fonts = probed.fonts && shownFonts(captured.faces, probed.fonts);
  return { ...captured, fonts, workers: options.workers.choice(), firstFrameAt: frames.firstAt() };
}

/** What is known about painting the page. */
type PaintFacts = Pick<ProbedRender, 'paintObstacle' | 'mayMeetObstacle' | 'sortsByDepth' | 'isProven' | 'clips'>;

type Captured = CapturedFrames & Pick<CaptureResult, 'capture'>;

async function captureWithFallback(
  job: CaptureJob & PaintFacts,
  { capture: requested = 'auto', decided, sample = (samples) => samples }: CaptureOptions,
  frames: FrameCounter,
  emit: ProgressReporter['emit'],
): Promise<Captured> {
  const screenshots = async (reason: string, ready = job.ready): Promise<Captured> => ({
    ...(await screenshotChunks({ ...job, ready })),
    capture: { path: 'screenshot', reason },
  });
  if (decided) return decided.path === 'paint' ? paintAsDecided(job, decided) : screenshots(decided.reason);
  if (requested === 'screenshot') return screenshots(l10n.t('as requested'));
  if (requested === 'paint') {
    if (job.paintObstacle)
      emit({ type: 'warning', message: l10n.t`Painted frames may be wrong: ${job.paintObstacle}` });
    return { ...(await paintChunks(job, [], true)), capture: { path: 'paint', reason: l10n.t('as requested') } };
  }
  if (job.paintObstacle) return screenshots(job.paintObstacle);
  const obstacle = job.mayMeetObstacle ? await findObstacle(job) : null;
  if (obstacle !== null) return screenshots(obstacle, []);
  const all = planSamples(job.plan, job.clips, job.isProven);
  const samples = sample(all);
  try {
    const captured = comparesFirst(job) ? await paintCompared(job, samples) : await paintChunks(job, samples);
    // A single plain frame may be the start of a fade.
    if (samples.length === all.length && captured.plainSamples.length === samples.length) {
      const numbers = samples.map(({ frame }) => frame).join(', ');
      const shown = samples.length === 1 ? l10n.t`Frame ${numbers} shows` : l10n.t`Frames ${numbers} show`;
      emit({ type: 'warning', message: l10n.t`${shown} only one color: is something missing from the composition?` });
    }
    const agreed = l10n.t`${samples.length} sample ${samples.length === 1 ? l10n.t('frame agrees') : l10n.t('frames agree')} with the browser's own screenshots`;
    return { ...captured, capture: { path: 'paint', reason: agreed } };
  } catch (error) {
    // A page that crashes the browser when it is drawn into a canvas may still be shown.
    const isCrash = error instanceof UserError && error.code === 'page_crashed';
    if (!(error instanceof CaptureDisagreement || isCrash)) throw error;
    const reason = isCrash ? l10n.t('the page crashed when it was painted') : error.message;
    emit({ type: 'warning', message: fallbackWarning(reason) });
    frames.reset();
    // The reason may have been in a frame that a render which continues this one does not paint again.
    await job.kept?.discard('paint');
    return screenshots(reason, []);
  }
}

/**
 * Whether to compare the sample frames before any other frame is painted. Pages whose elements are sorted by depth often
 * differ from screenshots, and all painted frames would be discarded. Passing a few frames twice would take as long.
 */
function comparesFirst({ sortsByDepth, plan }: Pick<ProbedRender, 'sortsByDepth' | 'plan'>): boolean {
  const frames = plan.chunks.reduce((sum, { start, end }) => sum + end - start, 0);
  return sortsByDepth && frames > framesToCompareFirst;
}

const framesToCompareFirst = 30;

/** Like `paintChunks`, but compares the samples first, with a page of its own. */
async function paintCompared(job: CaptureJob, samples: readonly Sample[]) {
  const { plan } = job;
  const compared = await paintChunks({ ...job, plan: { ...plan, chunks: [] }, workers: () => 1 }, samples);
  await compared.closed;
  const painted = await paintChunks({ ...job, ready: [] }, []);
  return { ...painted, plainSamples: compared.plainSamples };
}

/** The other frames of the video are painted: screenshots would differ from them. Throws UserError `render_failed`. */
async function paintAsDecided(job: CaptureJob & PaintFacts, decided: CaptureDecision): Promise<Captured> {
  try {
    if (job.paintObstacle) throw new CaptureDisagreement(job.paintObstacle);
    return { ...(await paintChunks(job, [])), capture: decided };
  } catch (error) {
    if (!(error instanceof CaptureDisagreement)) throw error;
    throw new UserError(
      'render_failed',
      l10n.t`This part of the video cannot be painted as the others are: ${error.message}`,
      {
        hint: l10n.t('Render it with framework render, which then uses screenshots for the whole video.'),
      },
    );
  }
}

/** A page must pass all frames before a sample, which must not take longer than the chunks of a long video: two minutes. */
const maxFramesToDecide = 3600;

/** Decides how a whole video is captured, by painting only sample frames of its first two minutes. Throws UserError. */
export async function decideCapture(
  probed: ProbedRender,
  options: Pick<RenderRequest, 'capture'>,
  progress: ProgressReporter,
): Promise<CaptureDecision> {
  const samplesOnly = { ...probed, plan: { ...probed.plan, chunks: [] } };
  const { plan, clips, isProven } = probed;
  const sample = () => planSamples({ ...plan, frames: Math.min(plan.frames, maxFramesToDecide) }, clips, isProven);
  const given = pickDefined(options, ['capture']);
  const captured = await capture(samplesOnly, { ...given, sample, workers: oneWorker }, progress);
  if (captured.capture.path === 'screenshot' || options.capture === 'paint' || !probed.sortsByDepth)
    return captured.capture;
  // A chunk with such a frame could not be rendered like the others.
  const obstacle = await findObstacle(probed);
  return obstacle === null ? captured.capture : { path: 'screenshot', reason: obstacle };
}

/** Stage 5. Resolves to the segment files when all encoders have ended. */
export async function encode({ encoded, segments }: CaptureResult): Promise<string[]> {
  await encoded;
  return segments;
}

/** Where the joined file is written. */
export type MuxTarget = Pick<OutputTarget, 'temporary' | 'isStream'> & { streamed?: StreamedJoin };

/** Stage 6. Mixes the sounds and joins the segments to the temporary file of `output`. Throws UserError. */
export async function mux(
  job: SoundtrackJob,
  segments: readonly string[],
  sounds: readonly Sound[],
  { temporary, isStream, streamed }: MuxTarget,
  emit: ProgressReporter['emit'],
): Promise<void> {
  const { plan, ffmpeg, folder, signal } = job;
  const { file, warnings } = await makeSoundtrack(sounds, job);
  for (const message of warnings) emit({ type: 'warning', message });
  const count = `${segments.length} ${segments.length === 1 ? 'segment' : 'segments'}`;
  emit({ type: 'stage', stage: 'assemble', message: l10n.t`Joining ${count}` });
  const { format } = plan;
  const sound = file === null || !holdsSound(format) ? undefined : { file, format };
  const joined = { ...plan, fragmented: isStream, ...(streamed ? { streamed } : {}) };
  await joinSegments(ffmpeg, [...segments], joined, folder, temporary, signal, sound);
}

/** Stages 5 and 6 for a whole video: encodes, muxes, moves the output into place and reports. Needs no page any more. */
export async function finishVideo(
  captured: CaptureResult,
  probed: ProbedRender,
  output: OutputTarget,
  { startedAt, warnings, now, emit }: ProgressReporter,
): Promise<RenderReport> {
  const { plan, graph } = probed;
  const segments = await encode(captured);
  const posterTime = graph.files.get(graph.entry)?.posterTime?.value ?? null;
  if (plan.format !== 'png') await mux(probed, segments, captured.sounds, output, emit);
  const report: RenderReport = {
    bytes: await output.commit(),
    output: output.path,
    frames: plan.frames,
    fps: formatFrameRate(plan.fps),
    width: plan.width,
    height: plan.height,
    durationSeconds: frameTime(plan.frames, plan.fps),
    ...posterInVideo(posterTime, { start: frameTime(plan.firstFrame ?? 0, plan.fps), duration: plan.duration }),
    elapsedMs: Math.round(now() - startedAt),
    firstFrameMs: Math.round(captured.firstFrameAt - startedAt),
    capture: { ...captured.capture, card: probed.launched.card, directFrames: captured.passthroughFrames },
    workers: captured.workers,
    fonts: captured.fonts,
    warnings,
  };
  emit({ type: 'done', report });
  return report;
}

/** Collects warnings and hands events on. */
export function reportProgress(onEvent: RenderRequest['onEvent'], now: () => number): ProgressReporter {
  const warnings: string[] = [];
  const emit = (event: RenderEvent) => {
    if (event.type === 'warning') warnings.push(event.message);
    onEvent?.(event);
  };
  return { now, startedAt: now(), warnings, emit };
}

/** Capture options for a whole video. Reports the number of workers, when it is known. */
export function videoOptions(
  { workers: requested, capture }: Pick<RenderRequest, 'workers' | 'capture'>,
  { plan, folder }: Pick<ProbedRender, 'plan' | 'folder'>,
  output: OutputTarget,
  emit: ProgressReporter['emit'],
): CaptureOptions {
  const started = l10n.t`Rendering ${plan.frames} ${plan.frames === 1 ? 'frame' : 'frames'}`;
  let choice: WorkerChoice = requestedWorkers(requested ?? 1, plan.chunks.length);
  const use = (chosen: WorkerChoice): number => {
    choice = chosen;
    const pages = chosen.count === 1 ? 'page' : 'pages';
    emit({
      type: 'stage',
      stage: 'capture',
      message: l10n.t`${started} with ${chosen.count} ${pages} (${chosen.reason})`,
    });
    return chosen.count;
  };
  const countWorkers = (shares: number) => {
    if (requested !== undefined) return use(requestedWorkers(requested, shares));
    if (shares >= minShares) emit({ type: 'stage', stage: 'capture', message: started });
    return countFor(shares, use);
  };
  return {
    ...(capture === undefined ? {} : { capture }),
    workers: { count: countWorkers, choice: () => choice },
    folder: plan.format === 'png' ? output.temporary : folder,
  };
}

/** Opening a second page takes as long as capturing fewer shares than this, so they need no measurement. */
const minShares = 3;

/** The number of pages that `machine` allows, which `use` gets. */
function countFor(
  shares: number,
  use: (choice: WorkerChoice) => number,
  machine?: () => Machine,
): number | ((load: Load) => number) {
  if (shares < minShares) return use({ count: 1, reason: l10n.t('the video is short') });
  return (load) => use(chooseWorkers(load, shares, machine?.()));
}

/** As many pages as `machine` allows, which is asked when the load of a page has been measured. */
export function workersOf(machine: () => Machine): CaptureOptions['workers'] {
  let choice = requestedWorkers(1, 1);
  const use = (chosen: WorkerChoice): number => {
    choice = chosen;
    return chosen.count;
  };
  return { count: (shares) => countFor(shares, use, machine), choice: () => choice };
}

/** For captures of a few frames. */
export const oneWorker: CaptureOptions['workers'] = { count: () => 1, choice: () => requestedWorkers(1, 1) };

/** At most ten progress events a second. */
const progressIntervalMs = 100;

/** The speed is measured over this time, so that a slow start does not spoil the estimate for long. */
const speedWindowMs = 3000;

type FrameCounter = ReturnType<typeof countFrames>;

/** Counts captured frames and reports them with the current speed. */
function countFrames(total: number, { now, emit }: ProgressReporter) {
  let past = [{ at: now(), done: 0 }];
  let done = 0;
  let first: number | undefined;
  let reportedAt = 0;
  return {
    add(count: number) {
      const time = now();
      first ??= time;
      done += count;
      if (time - reportedAt < progressIntervalMs && done < total) return;
      reportedAt = time;
      past = [
        ...past.filter(({ at }, index) => time - at < speedWindowMs || index === past.length - 1),
        { at: time, done },
      ];
      const since = past[0] ?? { at: time, done };
      const framesPerSecond = ((done - since.done) / Math.max(1, time - since.at)) * 1000;
      const remainingSeconds = framesPerSecond > 0 ? (total - done) / framesPerSecond : null;
      emit({ type: 'frames', done, total, framesPerSecond, remainingSeconds });
    },
    reset() {
      done = 0;
      past = [{ at: now(), done: 0 }];
    },
    firstAt: () => first ?? now(),
  };
}
