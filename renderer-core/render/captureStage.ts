// Stage 4 of a render: decides how the frames are captured, and captures them.
import { browserEnded } from '../capture/pageErrors.ts';
import { planSamples, type Sample } from '../capture/samples.ts';
import { UserError } from '../errors.ts';
import type { ProjectGraph } from '../model/graph.ts';
import { given } from '../model/variables/given.ts';
import { missingWarnings, shownFonts } from '../plan/fonts/shownFonts.ts';
import { assembleEstimate, capturedShare } from './assembleProgress.ts';
import { oneWorker } from './captureOptions.ts';
import { paintChunks, screenshotChunks } from './chunks/captureChunks.ts';
import { openSampleFrames } from './chunks/sampleFrames.ts';
import { checkScreenshots, limitsWarning } from './deepLimits.ts';
import { fallbackWarning, findObstacle } from './probe/openPage.ts';
import { countFrames, type FrameCounter } from './progress.ts';
import type {
  CaptureDecision,
  CapturedFrames,
  CaptureJob,
  CaptureOptions,
  CaptureResult,
  PageFacts,
  ProbedRender,
  ProgressReporter,
  RenderRequest,
} from './types.ts';

/**
 * Stage 4. Captures the chunks of the plan. Frames are painted if that is possible and proven to equal the browser's
 * screenshots; otherwise they are screenshots. Throws UserError.
 */
export async function capture(
  probed: ProbedRender,
  options: CaptureOptions,
  progress: ProgressReporter,
): Promise<CaptureResult> {
  const { plan, source, facts, page } = probed;
  const frames = countFrames(
    plan.chunks.reduce((sum, { start, end }) => sum + end - start, 0),
    // Frames of png are files already.
    plan.format === 'png'
      ? { share: 1, after: 0 }
      : {
          share: capturedShare,
          after: assembleEstimate(plan.frames * (plan.fps.den / plan.fps.num), seemsAudible(source.graph)),
        },
    progress,
  );
  const { encoding, ready, samples, signal } = probed;
  const job: CaptureJob = {
    ...{ plan, page, ready, samples, signal },
    encoding: { ...encoding, folder: options.folder ?? encoding.folder },
    workers: options.workers.count,
    now: progress.now,
    onFrames: frames.add,
    ...given({ kept: options.kept }),
  };
  const { browser, processes } = page.launched;
  const captured = await captureFrames(job, facts, options, frames, progress.emit).catch((error) => {
    // The browser driver's message for a browser that has ended depends on what the driver was doing.
    throw error instanceof UserError || browser.connected ? error : browserEnded(error);
  });
  // `encode` reports a failure; until then it must not count as unhandled.
  captured.encoded.catch(() => undefined);
  // Frames are empty from then on, and the browser may not have been ended for it yet.
  if (await processes.hasLost()) throw browserEnded(undefined);
  for (const message of missingWarnings(captured.missing, source.graph)) progress.emit({ type: 'warning', message });
  if (plan.hdr && captured.limits.length > 0)
    progress.emit({ type: 'warning', message: limitsWarning(captured.limits) });
  if (captured.postsWithoutEnd) progress.emit({ type: 'warning', message: endlessWorkWarning() });
  const fonts = source.fonts && shownFonts(captured.faces, source.fonts);
  return { ...captured, fonts, workers: options.workers.choice(), firstFrameAt: frames.firstAt() };
}

/** Whether a file of the project has an element with sound. */
const seemsAudible = ({ files }: ProjectGraph): boolean =>
  [...files.values()].some(({ media }) => media.some(({ kind, hasAudio }) => kind === 'audio' || hasAudio));

const endlessWorkWarning = (): string =>
  'A script of the composition posts messages or tasks without end, so frames wait for only some of them and may differ in the next render. Use requestAnimationFrame for work that is repeated.';

type Captured = CapturedFrames & Pick<CaptureResult, 'capture'>;

/** One way to capture. `otherwise`: what happens if painting fails. */
type Way =
  /** `usesReady`: whether the pages that are ready are for screenshots. */
  | { path: 'screenshot'; reason: string; usesReady: boolean }
  | {
      path: 'paint';
      reason?: string;
      /** The frames that are compared, and whether these are all samples of the video. */
      samples: readonly Sample[];
      hasAllSamples: boolean;
      otherwise: 'screenshots' | 'error' | 'ignored';
    };

/** Tries ways to capture until one works: painting, painting once more after a crash, and screenshots. */
async function captureFrames(
  firstJob: CaptureJob,
  facts: PageFacts,
  options: CaptureOptions,
  frames: FrameCounter,
  emit: ProgressReporter['emit'],
): Promise<Captured> {
  let job = firstJob;
  let way = await firstWay(job, facts, options, emit);
  for (let attempt = 1; ; attempt++) {
    if (way.path === 'screenshot') {
      const { path, reason, usesReady } = way;
      checkScreenshots(job.plan, facts, reason, emit);
      return { ...(await screenshotChunks(usesReady ? job : { ...job, ready: [] })), capture: { path, reason } };
    }
    const painted = await paint(job, facts, way);
    if (!('failure' in painted))
      return { ...painted, capture: { path: 'paint', reason: reasonOf(painted, way, emit) } };
    frames.reset();
    if (painted.isCrash && attempt === 1) {
      // The process of a page may have been killed by accident, and screenshots have other bytes.
      job = { ...job, ready: [], samples: openSampleFrames(job.page, job, facts.traits) };
      continue;
    }
    emit({ type: 'warning', message: fallbackWarning(painted.failure) });
    // The reason may have been in a frame that a render which continues this one does not paint again.
    await job.kept?.discard('paint');
    way = { path: 'screenshot', reason: painted.failure, usesReady: false };
  }
}

/** The way that was decided or requested, or the best one for the page. */
async function firstWay(
  { page, plan }: CaptureJob,
  { obstacle, traits, clips }: PageFacts,
  { capture: requested = 'auto', decided, sample = (samples) => samples }: CaptureOptions,
  emit: ProgressReporter['emit'],
): Promise<Way> {
  const none = { path: 'paint', samples: [], hasAllSamples: false } as const;
  if (decided?.path === 'screenshot') return { path: 'screenshot', reason: decided.reason, usesReady: true };
  // The other frames of the video are painted: screenshots would differ from them.
  if (decided) return { ...none, reason: decided.reason, otherwise: 'error' };
  if (requested === 'screenshot') return { path: 'screenshot', reason: 'as requested', usesReady: true };
  if (requested === 'paint') {
    if (obstacle) emit({ type: 'warning', message: `Painted frames may be wrong: ${obstacle}` });
    return { ...none, reason: 'as requested', otherwise: 'ignored' };
  }
  if (obstacle) return { path: 'screenshot', reason: obstacle, usesReady: true };
  const later = traits.lookAhead === 'always' ? await findObstacle(page, plan.frames) : null;
  if (later !== null) return { path: 'screenshot', reason: later, usesReady: false };
  const all = planSamples(plan, clips, traits.needsOneSample);
  const samples = sample(all);
  return { path: 'paint', samples, hasAllSamples: samples.length === all.length, otherwise: 'screenshots' };
}

/** `failure`: why the frames were not painted. */
type Failure = { failure: string; isCrash: boolean };

/** Throws UserError if nothing else is to be tried. */
async function paint(
  job: CaptureJob,
  { obstacle }: PageFacts,
  way: Way & { path: 'paint' },
): Promise<CapturedFrames | Failure> {
  if (way.otherwise === 'error' && obstacle) throw partDiffers(obstacle);
  try {
    const painted = await paintChunks(job, way.samples, way.otherwise === 'ignored');
    if (!('disagreement' in painted)) return painted;
    if (way.otherwise !== 'screenshots') throw partDiffers(painted.disagreement);
    return { failure: painted.disagreement, isCrash: false };
  } catch (error) {
    // A page that crashes the browser when it is drawn into a canvas may still be shown.
    const isCrash = error instanceof UserError && error.code === 'page_crashed';
    if (!isCrash || way.otherwise !== 'screenshots') throw error;
    return { failure: 'the page crashed when it was painted', isCrash };
  }
}

const partDiffers = (reason: string): UserError =>
  new UserError('render_failed', `This part of the video cannot be painted as the others are: ${reason}`, {
    hint: 'Render it with framework render, which then uses screenshots for the whole video.',
  });

/** Why the frames were painted. Warns if no sample shows anything. */
function reasonOf(
  { plainSamples }: CapturedFrames,
  { reason, samples, hasAllSamples }: Way & { path: 'paint' },
  emit: ProgressReporter['emit'],
): string {
  if (reason !== undefined) return reason;
  // A single plain frame may be the start of a fade.
  if (hasAllSamples && plainSamples.length === samples.length) {
    const numbers = samples.map(({ frame }) => frame).join(', ');
    const shown = samples.length === 1 ? `Frame ${numbers} shows` : `Frames ${numbers} show`;
    emit({ type: 'warning', message: `${shown} only one color: is something missing from the composition?` });
  }
  return `${samples.length} sample ${samples.length === 1 ? 'frame agrees' : 'frames agree'} with the browser's own screenshots`;
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
  const { plan, page } = probed;
  const { clips, traits } = probed.facts;
  const sample = () =>
    planSamples({ ...plan, frames: Math.min(plan.frames, maxFramesToDecide) }, clips, traits.needsOneSample);
  const captured = await capture(
    samplesOnly,
    { ...given({ capture: options.capture }), sample, workers: oneWorker },
    progress,
  );
  if (captured.capture.path === 'screenshot' || options.capture === 'paint' || traits.lookAhead !== 'forParts')
    return captured.capture;
  // A chunk with such a frame could not be rendered like the others.
  const obstacle = await findObstacle(page, plan.frames);
  return obstacle === null ? captured.capture : { path: 'screenshot', reason: obstacle };
}
