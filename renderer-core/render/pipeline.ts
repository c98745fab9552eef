// The render pipeline. Every render goes through these stages, and each stage returns what the next one needs (types.ts):
//
//   1. prepare   reads the project, checks values and options       -> PreparedRender   (prepare.ts)
//   2. launch    ffmpeg, browser, temporary folder, project server  -> RenderPlace
//   3. probe     loads the composition; its length is known now     -> ProbedRender     (probe.ts)
//   4. capture   frames from pages to encoders, chunk by chunk      -> CaptureResult    (captureStage.ts)
//   5. encode    waits for the encoders                             -> segment files
//   6. mux       mixes the sound and joins the segments             -> one file
//
// `renderVideo` runs all of them. A batch (batch/batchWorker.ts) repeats 3 to 6 in one session; a snapshot
// (snapshot/takeSnapshot.ts) captures single frames; chunkRender.ts runs 3 to 5 for one chunk, anywhere, and 6 at the end.
import { holdsSound } from '../media/encodeSound.ts';
import { type JoinPlan, joinSegments, type StreamedJoin } from '../media/join.ts';
import { frameTime } from '../model/frameGrid.ts';
import { given } from '../model/variables/given.ts';
import type { Sound } from '../page/runtime/page.ts';
import type { LightLevels } from '../plan/brightness.ts';
import { formatFrameRate } from '../plan/frameRate.ts';
import { completePlan } from '../plan/plan.ts';
import { posterInVideo } from '../plan/posterTime.ts';
import type { RenderPlan } from '../plan/renderPlan.ts';
import { locatedMessage } from '../plan/valueProblems.ts';
import type { OutputTarget } from '../project/output/outputTarget.ts';
import { reportAssembly, totalBytes, whileWriting } from './assembleProgress.ts';
import { recordedFiles } from './batch/batchInputs.ts';
import { videoOptions } from './captureOptions.ts';
import { capture } from './captureStage.ts';
import { type KeptSegments, openKeptSegments } from './chunks/keptSegments.ts';
import { openUnfinished } from './chunks/unfinishedRender.ts';
import { openOutput } from './output.ts';
import { prepare } from './prepare.ts';
import { probe } from './probe/probe.ts';
import { reportProgress } from './progress.ts';
import type { RenderReport } from './renderReport.ts';
import { type SessionOptions, type Surroundings, withSession } from './session.ts';
import { makeSoundtrack, type SoundtrackJob } from './soundtrack.ts';
import type {
  CaptureResult,
  PreparedRender,
  ProbedRender,
  ProgressReporter,
  RenderPlace,
  RenderRequest,
  Resumable,
} from './types.ts';
import { checkCaptionOutput, trackFile, writeCaptions } from './writeCaptions.ts';

/**
 * Renders a project to one video file, or to a folder. Throws UserError. On any failure or abort an
 * earlier output stays as it was, and only finished segments are left, in the cache, for `resume`.
 */
export function renderVideo(request: RenderRequest, surroundings: Surroundings): Promise<RenderReport> {
  return renderWith(launch, { gpu: 'auto', ...request }, surroundings, (probed, output, { emit, root }) =>
    openUnfinished(probed, request, { ...output, root, env: surroundings.env }, emit),
  );
}

/** `renderVideo` that continues an interrupted one, and can itself be continued. Not for png. */
export function renderResumable(request: RenderRequest & Resumable, surroundings: Surroundings): Promise<RenderReport> {
  return renderWith(launch, { gpu: 'auto', ...request }, surroundings, (probed) =>
    keptSegments(request.segments, probed),
  );
}

/** Opens the segments that a render keeps, once it is known what determines them. */
type Keep = (
  probed: ProbedRender,
  output: OutputTarget,
  place: Pick<ProgressReporter, 'emit'> & Pick<PreparedRender, 'root'>,
) => Promise<KeptSegments | undefined>;

/** `renderVideo` with another stage 2: `launchStage` may use a session that is already open. By default, it keeps nothing. */
export async function renderWith(
  launchStage: typeof launch,
  request: RenderRequest,
  surroundings: Surroundings,
  keep?: Keep,
): Promise<RenderReport> {
  const progress = reportProgress(request.onEvent, surroundings.now);
  const { emit } = progress;
  emit({ type: 'stage', stage: 'check', message: 'Checking the project' });
  const prepared = await prepare(request);
  emitWarnings(prepared, emit);
  await checkCaptionOutput(prepared);
  const output = await openOutput(prepared.draft.output, prepared.draft.format, request);
  try {
    emit({ type: 'stage', stage: 'launch', message: 'Starting the browser' });
    return await launchStage({ ...request, ...surroundings, root: prepared.root }, async (place) => {
      const files = recordedFiles(prepared.files, prepared.root, place.site.server.reads);
      const probed = await probe({ ...request, onEvent: emit }, { ...prepared, files }, place);
      await request.onPlan?.(probed.plan);
      const kept = await keep?.(probed, output, { emit, root: prepared.root });
      const options = { ...videoOptions(request, probed.plan, output, emit), ...given({ kept }) };
      let isComplete = false;
      try {
        const captured = await capture(probed, options, progress);
        const report = await finishVideo(captured, probed, { ...output, onJoined: kept?.drop }, progress);
        isComplete = true;
        return report;
      } finally {
        // The video is complete, or its error is already thrown. What stays in the cache is removed after some days.
        await kept?.close?.(isComplete).catch(() => undefined);
      }
    });
  } finally {
    await output.discard();
  }
}

/** Everything that determines what is in a segment decides which ones can be used again. */
async function keptSegments(
  segments: Resumable['segments'],
  { plan, page, encoding, source }: ProbedRender,
): Promise<KeptSegments | undefined> {
  if (plan.format === 'png' || page.services.remote.isUsed()) return undefined;
  const { output: _, ...facts } = plan;
  const { graphics, displayRate } = page.launched;
  const key = [segments.key, facts, encoding.encoder, source.engine, graphics, displayRate];
  return openKeptSegments(segments.folder, key);
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
export async function planRender(
  request: RenderRequest,
  surroundings: Surroundings,
): Promise<{ plan: RenderPlan; warnings: string[] }> {
  return planPrepared(await prepare(request), request, surroundings);
}

/** `planRender` of a project that has been read. */
export async function planPrepared(
  prepared: PreparedRender,
  request: RenderRequest,
  surroundings: Surroundings,
): Promise<{ plan: RenderPlan; warnings: string[] }> {
  const warnings = [...prepared.valueProblems.map(locatedMessage), ...prepared.warnings];
  if (prepared.draft.duration !== null)
    return { plan: completePlan(prepared.draft, null, request.chunkFrames), warnings };
  request.onEvent?.({ type: 'stage', stage: 'launch', message: 'Starting the browser' });
  return launch({ ...request, ...surroundings, root: prepared.root }, async (place) => {
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

/** Stage 5. Resolves to the segment files when all encoders have ended. */
export async function encode({ encoded, segments }: CaptureResult): Promise<string[]> {
  await encoded;
  return segments;
}

/** Where the joined file is written. */
export type MuxTarget = Pick<OutputTarget, 'temporary' | 'isStream'> &
  Pick<JoinPlan, 'onJoined'> & { streamed?: StreamedJoin; light?: LightLevels | undefined };

/** Stage 6. Mixes the sounds and joins the segments to the temporary file of `output`. Throws UserError. */
export async function mux(
  job: SoundtrackJob,
  segments: readonly string[],
  sounds: readonly Sound[],
  { temporary, isStream, streamed, onJoined, light }: MuxTarget,
  progress: Pick<ProgressReporter, 'now' | 'emit'>,
): Promise<void> {
  const { plan, ffmpeg, folder, signal } = job;
  const { emit } = progress;
  const hasSound = sounds.length > 0 && holdsSound(plan.format);
  const report = reportAssembly(hasSound, progress);
  if (hasSound) emit({ type: 'stage', stage: 'assemble', message: 'Mixing the sound' });
  const { file, warnings } = await makeSoundtrack(sounds, job, report.mix);
  for (const message of warnings) emit({ type: 'warning', message });
  const count = `${segments.length} ${segments.length === 1 ? 'segment' : 'segments'}`;
  emit({ type: 'stage', stage: 'assemble', message: `Joining ${count}` });
  const { format } = plan;
  const sound = file === null || !holdsSound(format) ? undefined : { file, format };
  const captionFile = await trackFile(plan, folder);
  const joined = {
    ...plan,
    onJoined,
    fragmented: isStream,
    ...given({ streamed, captionFile, light: plan.hdr === 'pq' && !isStream ? light : undefined }),
  };
  // The size of a gif does not depend on that of its segments.
  const bytes = format === 'gif' || streamed ? 0 : await totalBytes(segments);
  await whileWriting(temporary, bytes, report.join, () =>
    joinSegments(ffmpeg, [...segments], joined, folder, temporary, signal, sound),
  );
}

/** Stages 5 and 6 for a whole video: encodes, muxes, moves the output into place and reports. Needs no page any more. */
export async function finishVideo(
  captured: CaptureResult,
  probed: ProbedRender,
  output: OutputTarget & Pick<JoinPlan, 'onJoined'>,
  { startedAt, warnings, now, emit }: ProgressReporter,
): Promise<RenderReport> {
  const { plan, page, encoding, signal } = probed;
  const { graph, engine } = probed.source;
  const segments = await encode(captured);
  const posterTime = graph.files.get(graph.entry)?.posterTime?.value ?? null;
  if (plan.format !== 'png')
    await mux(
      { plan, ...page.services, ...encoding, signal },
      segments,
      captured.sounds,
      { ...output, light: captured.light },
      { now, emit },
    );
  const captions = await writeCaptions(plan, emit);
  const report: RenderReport = {
    bytes: await output.commit(),
    output: output.path,
    ...(captions ? { captions: captions.path } : {}),
    frames: plan.frames,
    fps: formatFrameRate(plan.fps),
    width: plan.width,
    height: plan.height,
    durationSeconds: frameTime(plan.frames, plan.fps),
    ...posterInVideo(posterTime, { start: frameTime(plan.firstFrame ?? 0, plan.fps), duration: plan.duration }),
    elapsedMs: Math.round(now() - startedAt),
    firstFrameMs: Math.round(captured.firstFrameAt - startedAt),
    capture: { ...captured.capture, card: page.launched.card, directFrames: captured.passthroughFrames },
    engine,
    ...given({ resumedFrames: captured.resumedFrames }),
    workers: captured.workers,
    fonts: captured.fonts,
    warnings,
  };
  await captions?.commit();
  emit({ type: 'done', report });
  return report;
}
