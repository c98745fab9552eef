// Stage 3, probe: leases a page (leasePage.ts), opens it (openPage.ts), and learns from it what the plan still lacks: the
// length, and how its frames can be captured.

import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ShownTime } from '../../capture/samples.ts';
import { UserError } from '../../errors.ts';
import { startSegment } from '../../media/segment.ts';
import { frameTime } from '../../model/frameGrid.ts';
import type { ProjectGraph } from '../../model/graph.ts';
import { mergeTraits, type PageTraits } from '../../page/features/pageTraits.ts';
import type { HostValueProblem } from '../../page/runtime/page.ts';
import { withCaptions } from '../../plan/captionOutput.ts';
import { completePlan } from '../../plan/plan.ts';
import type { RenderPlan } from '../../plan/renderPlan.ts';
import { assertNoValueProblems, locatedMessage } from '../../plan/valueProblems.ts';
import { openSampleFrames } from '../chunks/sampleFrames.ts';
import { checkRefusals } from '../deepLimits.ts';
import type { PageFacts, PageJob, PreparedRender, ProbedRender, RenderPlace, RenderRequest } from '../types.ts';
import { captionWarnings } from './captionProblems.ts';
import { leasePage, type PageLease } from './leasePage.ts';
import { type FirstPage, openFirstPage, openPage } from './openPage.ts';

export type ProbeOptions = Pick<RenderRequest, 'capture' | 'chunkFrames' | 'strictVariables' | 'onEvent'> & {
  /** Plans one frame for a composition without a duration, which other compositions embed. For images. */
  allowsStill?: boolean;
};

/**
 * Opens the first page, in a browser with what the project seems to need or the page asks for. Throws UserError
 * for errors of the page and its files. The caller closes the result.
 */
export async function probe(
  options: ProbeOptions,
  prepared: PreparedRender,
  place: RenderPlace,
): Promise<ProbedRender> {
  const { graph, draft } = prepared;
  const { ffmpeg, workspace, signal, encoderFor } = place.session;
  const emit = options.onEvent ?? (() => undefined);
  for (const message of captionWarnings(prepared)) emit({ type: 'warning', message });
  const encoder = await encoderFor(draft);
  const folder = await mkdtemp(join(workspace.folder, 'render-'));
  const lease = await leasePage(prepared, place, { emit });
  const closing = [lease.release, () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })];
  const close = async () => {
    for (const one of closing) await one();
  };
  try {
    emit({ type: 'stage', stage: 'probe', message: `Loading ${draft.composition}` });
    const { job, first } = await openIn(lease, options);
    const { page, info, obstacle } = await decidePath(job, first, options);
    closing.unshift(page.close);
    checkRefusals(info.refusals, graph);
    const warnings = [...info.valueProblems.map(locatedMessage), ...info.warnings, ...lease.fontWarnings()];
    for (const message of warnings) emit({ type: 'warning', message });
    const still = options.allowsStill ? frameTime(1, draft.fps) : null;
    const length = completePlan(draft, info.naturalDuration || still, options.chunkFrames, info.endless);
    const plan = withCaptions(length, info.captions);
    const traits = traitsOf(graph, job.services.features.traits, info.traits);
    const facts: PageFacts = { obstacle, traits, clips: info.clips.map((clip) => inVideo(clip, plan)) };
    const samples = openSampleFrames(job, { plan, signal }, traits);
    closing.unshift(samples.close);
    const source = { graph, engine: lease.engine, fonts: lease.fonts };
    const encoding = { ffmpeg, encoder, folder, startSegment };
    return { plan, source, page: job, facts, encoding, ready: [page], samples, signal, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the first page. If it misses something that another browser has, opens it there. */
async function openIn(lease: PageLease, options: ProbeOptions): Promise<{ job: PageJob; first: FirstPage }> {
  const first = await openFirstPage(lease.page, options);
  const { missing } = first.info;
  // What was asked for and is missing cannot be had.
  if (!missing.graphics3d || lease.needs.graphics3d) return { job: lease.page, first };
  await first.page.close();
  const job = await lease.exchange(missing);
  return { job, first: await openFirstPage(job, options) };
}

/** Step 3: opens another page in place of one that cannot be painted. Throws UserError if the page has an error. */
export async function decidePath(job: PageJob, first: FirstPage, options: ProbeOptions): Promise<FirstPage> {
  const { page, info, obstacle } = first;
  try {
    checkHostValues(info.valueProblems, options);
    job.check(page);
  } catch (error) {
    await page.close();
    throw error;
  }
  if (first.kind === 'plain' || obstacle === null || options.capture === 'paint') return first;
  await page.close();
  return { ...first, ...(await openPage(job, 'plain')) };
}

/** The traits of a page, as its text and the page itself show them. */
function traitsOf(graph: ProjectGraph, ...found: PageTraits[]): PageTraits {
  const hasScripts = [...graph.files.values()].some(({ scripts }) => scripts.length > 0);
  const traits = mergeTraits(...found);
  // Scripts could use other features later.
  return { ...traits, needsOneSample: traits.needsOneSample && !hasScripts };
}

/** Times of the composition as times of a video that starts later. */
function inVideo({ start, end }: ShownTime, { firstFrame = 0, fps }: RenderPlan): ShownTime {
  const offset = frameTime(firstFrame, fps);
  return { start: start - offset, end: end === null ? null : end - offset };
}

/** Throws UserError for values that scripts have set on hosts, if they cannot be read or checking is strict. */
function checkHostValues(problems: readonly HostValueProblem[], { strictVariables }: ProbeOptions): void {
  const malformed = problems.find(({ isMalformed }) => isMalformed);
  if (malformed) throw new UserError('composition_invalid', malformed.message, { place: malformed.place });
  if (strictVariables) assertNoValueProblems(problems);
}
