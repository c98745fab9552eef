// Stage 4 of a render: decides how the frames are captured, and captures them.
import { browserEnded } from '../capture/pageErrors.ts';
import { planSamples } from '../capture/samples.ts';
import { UserError } from '../errors.ts';
import type { ProjectGraph } from '../model/graph.ts';
import { missingWarnings, shownFonts } from '../plan/fonts/shownFonts.ts';
import { assembleEstimate, capturedShare } from './assembleProgress.ts';
import { CaptureDisagreement, paintChunks, screenshotChunks } from './captureChunks.ts';
import { oneWorker } from './captureOptions.ts';
import { pickDefined } from './prepare.ts';
import { fallbackWarning } from './probe.ts';
import { countFrames, type FrameCounter } from './progress.ts';
import { findObstacle } from './readyPage.ts';
import { openSampleFrames } from './sampleFrames.ts';
import type {
  CaptureDecision,
  CapturedFrames,
  CaptureJob,
  CaptureOptions,
  CaptureResult,
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
  const { plan, graph } = probed;
  const frames = countFrames(
    plan.chunks.reduce((sum, { start, end }) => sum + end - start, 0),
    // Frames of png are files already.
    plan.format === 'png'
      ? { share: 1, after: 0 }
      : {
          share: capturedShare,
          after: assembleEstimate(plan.frames * (plan.fps.den / plan.fps.num), seemsAudible(graph)),
        },
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
  // Frames are empty from then on, and the browser may not have been ended for it yet.
  if (await job.launched.processes.hasLost()) throw browserEnded(undefined);
  for (const message of missingWarnings(captured.missing, probed.graph)) progress.emit({ type: 'warning', message });
  if (captured.postsWithoutEnd) progress.emit({ type: 'warning', message: endlessWorkWarning() });
  const fonts = probed.fonts && shownFonts(captured.faces, probed.fonts);
  return { ...captured, fonts, workers: options.workers.choice(), firstFrameAt: frames.firstAt() };
}

/** Whether a file of the project has an element with sound. */
const seemsAudible = ({ files }: ProjectGraph): boolean =>
  [...files.values()].some(({ media }) => media.some(({ kind, hasAudio }) => kind === 'audio' || hasAudio));

const endlessWorkWarning = (): string =>
  'A script of the composition posts messages or tasks without end, so frames wait for only some of them and may differ in the next render. Use requestAnimationFrame for work that is repeated.';

/** What is known about painting the page. */
type PaintFacts = Pick<ProbedRender, 'paintObstacle' | 'traits' | 'clips'>;

type Captured = CapturedFrames & Pick<CaptureResult, 'capture'>;

async function captureWithFallback(
  job: CaptureJob & PaintFacts & { isRepeated?: true },
  options: CaptureOptions,
  frames: FrameCounter,
  emit: ProgressReporter['emit'],
): Promise<Captured> {
  const { capture: requested = 'auto', decided, sample = (samples) => samples } = options;
  const screenshots = async (reason: string, ready = job.ready): Promise<Captured> => ({
    ...(await screenshotChunks({ ...job, ready })),
    capture: { path: 'screenshot', reason },
  });
  if (decided) return decided.path === 'paint' ? paintAsDecided(job, decided) : screenshots(decided.reason);
  if (requested === 'screenshot') return screenshots('as requested');
  if (requested === 'paint') {
    if (job.paintObstacle) emit({ type: 'warning', message: `Painted frames may be wrong: ${job.paintObstacle}` });
    return { ...(await paintChunks(job, [], true)), capture: { path: 'paint', reason: 'as requested' } };
  }
  if (job.paintObstacle) return screenshots(job.paintObstacle);
  const obstacle = job.traits.lookAhead === 'always' ? await findObstacle(job) : null;
  if (obstacle !== null) return screenshots(obstacle, []);
  const all = planSamples(job.plan, job.clips, job.traits.needsOneSample);
  const samples = sample(all);
  try {
    const captured = await paintChunks(job, samples);
    // A single plain frame may be the start of a fade.
    if (samples.length === all.length && captured.plainSamples.length === samples.length) {
      const numbers = samples.map(({ frame }) => frame).join(', ');
      const shown = samples.length === 1 ? `Frame ${numbers} shows` : `Frames ${numbers} show`;
      emit({ type: 'warning', message: `${shown} only one color: is something missing from the composition?` });
    }
    const agreed = `${samples.length} sample ${samples.length === 1 ? 'frame agrees' : 'frames agree'} with the browser's own screenshots`;
    return { ...captured, capture: { path: 'paint', reason: agreed } };
  } catch (error) {
    // A page that crashes the browser when it is drawn into a canvas may still be shown.
    const isCrash = error instanceof UserError && error.code === 'page_crashed';
    if (!(error instanceof CaptureDisagreement || isCrash)) throw error;
    if (isCrash && !job.isRepeated) {
      frames.reset();
      return captureWithFallback(repeated(job), options, frames, emit);
    }
    const reason = isCrash ? 'the page crashed when it was painted' : error.message;
    emit({ type: 'warning', message: fallbackWarning(reason) });
    frames.reset();
    // The reason may have been in a frame that a render which continues this one does not paint again.
    await job.kept?.discard('paint');
    return screenshots(reason, []);
  }
}

/** The process of a page may have been killed by accident, and screenshots have other bytes. */
const repeated = (job: CaptureJob & PaintFacts) => ({
  ...job,
  ready: [],
  samples: openSampleFrames(job, job.traits),
  isRepeated: true as const,
});

/** The other frames of the video are painted: screenshots would differ from them. Throws UserError `render_failed`. */
async function paintAsDecided(job: CaptureJob & PaintFacts, decided: CaptureDecision): Promise<Captured> {
  try {
    if (job.paintObstacle) throw new CaptureDisagreement(job.paintObstacle);
    return { ...(await paintChunks(job, [])), capture: decided };
  } catch (error) {
    if (!(error instanceof CaptureDisagreement)) throw error;
    throw new UserError(
      'render_failed',
      `This part of the video cannot be painted as the others are: ${error.message}`,
      {
        hint: 'Render it with framework render, which then uses screenshots for the whole video.',
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
  const { plan, clips, traits } = probed;
  const sample = () =>
    planSamples({ ...plan, frames: Math.min(plan.frames, maxFramesToDecide) }, clips, traits.needsOneSample);
  const given = pickDefined(options, ['capture']);
  const captured = await capture(samplesOnly, { ...given, sample, workers: oneWorker }, progress);
  if (captured.capture.path === 'screenshot' || options.capture === 'paint' || traits.lookAhead !== 'forParts')
    return captured.capture;
  // A chunk with such a frame could not be rendered like the others.
  const obstacle = await findObstacle(probed);
  return obstacle === null ? captured.capture : { path: 'screenshot', reason: obstacle };
}
