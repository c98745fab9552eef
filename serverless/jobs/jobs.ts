// Renders the chunks of a video wherever a program can be started: each step is a command, and a folder or a bucket connects them.
import { basename, dirname, extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../renderer-core/errors.ts';
import { featuresOption } from '../../renderer-core/page/features/features.ts';
import { defaultChunkFrames, splitFrames } from '../../renderer-core/plan/chunks.ts';
import { createWorkspace } from '../../renderer-core/project/output/workspace.ts';
import { type ChunkRenderer, openChunkRenderer, planChunks } from '../../renderer-core/render/chunkRender.ts';
import type { Surroundings } from '../../renderer-core/render/session.ts';
import type { RenderRequest } from '../../renderer-core/render/types.ts';
import { keys } from '../keys.ts';
import { readChunkProgress } from '../renders/chunkStates.ts';
import type { ChunkResult, TaskInput } from '../renders/execution.ts';
import { readStoredReport, type StoredPlan } from '../renders/storedRender.ts';
import { siteFolder } from '../sites/siteFiles.ts';
import { readSite, sendSite } from '../sites/sites.ts';
import { assembleStep } from '../steps/assembleStep.ts';
import type { ChunkProgress } from '../steps/chunkProgress.ts';
import { chunkStep } from '../steps/chunkStep.ts';
import { storePlan } from '../steps/planStep.ts';
import { startStopwatch } from '../steps/stageTimes.ts';
import { type StepContext, segmentKey } from '../steps/stepContext.ts';
import { openFolder } from './folderStore.ts';
import { idleLimit } from './idleLimit.ts';
import type { JobStatus, JoinedJob, PlannedJob, RenderedJobChunk } from './jobReports.ts';
import type { Job } from './openJob.ts';
import { programVersion } from './programVersion.ts';

/** A job has one video. */
const renderId = 'video';
const planKey = keys.plan(renderId);

/** `size`: the number of chunks of the job. */
type JobPlan = StoredPlan & { size: number };

/**
 * What one process renders: some of the chunks of the plan, which are those of a local render unless more are wanted. So the video has the
 * same bytes for each number of processes.
 */
type JobChunk = { index: number; parts: readonly number[] };

const jobChunks = ({ plan, size }: JobPlan): JobChunk[] =>
  splitFrames(plan.chunks.length, size).map(({ index, start, end }) => ({
    index,
    parts: Array.from({ length: end - start }, (_, at) => start + at),
  }));

/** `date`: unix milliseconds. */
type JobOptions = { signal: AbortSignal; surroundings: Surroundings; date(): number };

const taskOf = (siteId: string, outputKey: string): TaskInput => ({
  ...{ version: 1, bucket: '', renderId, siteId, outputKey },
});

/** Uploads the project and plans the video. `size`: the number of chunks; by default, as many as in a local render. Throws UserError. */
export async function planJob(
  { name, store }: Job,
  request: RenderRequest,
  size: number | undefined,
  { signal, surroundings, date }: JobOptions,
): Promise<PlannedJob> {
  const planned = await planChunks({ ...request, signal }, surroundings, (frames) =>
    Math.min(frames, Math.max(size ?? 0, Math.ceil(frames / defaultChunkFrames))),
  );
  const { plan, capture, engine } = planned;
  const chunks = Math.min(size ?? plan.chunks.length, plan.chunks.length);
  const site = await readSite(request.projectDir, { signal });
  const { files, uploadedFiles, uploadedBytes } = await sendSite(store, site, { signal });
  const warnings = [...new Set([...site.warnings, ...planned.warnings])];
  const codeVersion = await programVersion();
  const times = startStopwatch(date, true).times();
  const stored: JobPlan = {
    ...{ ...planned, warnings, siteId: site.siteId, codeVersion, times, size: chunks },
    network: request.network ?? 'any',
  };
  await storePlan(store, taskOf(site.siteId, plan.output), stored);
  const sizes = { chunks, frames: plan.frames, output: basename(plan.output) };
  return { job: name, ...sizes, capture, engine, files, uploadedFiles, uploadedBytes, warnings };
}

/** Renders one chunk, unless it is rendered. Throws UserError. */
export async function renderJobChunk(
  { name, store }: Job,
  index: number,
  options: JobOptions & Pick<RenderRequest, 'browserPath' | 'ffmpegPath' | 'allowHosts'>,
): Promise<RenderedJobChunk> {
  const { signal, surroundings, date: _date, ...programs } = options;
  const stored = await planOf(name, store);
  const { parts } = jobChunks(stored)[index] ?? {};
  if (!parts) {
    throw new UserError('usage', `the job has no chunk ${index}`, { hint: `Its chunks are 0 to ${stored.size - 1}.` });
  }
  return inSite({ name, store }, stored, options, async (context) => {
    const { projectDir } = context;
    const place = { ...programs, ...featuresOption(surroundings.env), ...surroundings, projectDir, signal };
    let renderer: ChunkRenderer | undefined;
    const open = async (network: StoredPlan['network']) => {
      renderer ??= await openChunkRenderer({ ...place, network });
      return renderer;
    };
    const results: ChunkResult[] = [];
    try {
      const task = taskOf(stored.siteId, stored.plan.output);
      for (const part of parts) results.push(await chunkStep(task, planKey, part, open, context));
    } finally {
      await renderer?.close();
    }
    const sum = (key: 'frames' | 'bytes' | 'elapsedMs') => sumOf(results.map((result) => result[key]));
    const isReused = results.every((result) => result.isReused);
    return { job: name, index, frames: sum('frames'), bytes: sum('bytes'), elapsedMs: sum('elapsedMs'), isReused };
  });
}

/** Joins the chunks to the file `output`. `wait`: until all are rendered. Throws UserError. */
export async function joinJob(
  { name, store }: Job,
  output: string,
  options: JobOptions & { wait: boolean; onWait?: (missing: number) => void },
): Promise<JoinedJob> {
  const stored = await planOf(name, store);
  checkExtension(output, stored.plan.output);
  const stillWaits = idleLimit(options.date);
  for (;;) {
    const missing = await missingChunks({ name, store }, stored);
    if (missing.length === 0) break;
    if (!options.wait) throw incomplete(missing, stored.size);
    stillWaits(missing.join());
    options.onWait?.(missing.length);
    await sleep(pollMs, undefined, { signal: options.signal });
  }
  return inSite({ name, store }, stored, options, async (context) => {
    const task = taskOf(stored.siteId, basename(output));
    const { bytes, frames, durationSeconds } = await assembleStep(task, planKey, context, openFolder(dirname(output)));
    const { warnings = [] } = (await readStoredReport(store, renderId)) ?? {};
    const all = [...new Set([...stored.warnings, ...warnings])];
    return { job: name, output, bytes, frames, durationSeconds, warnings: all };
  });
}

const pollMs = 2000;

/** The name of the video. */
export const plannedOutput = async ({ name, store }: Job): Promise<string> =>
  basename((await planOf(name, store)).plan.output);

export async function jobStatus({ name, store }: Job): Promise<JobStatus> {
  const stored = await planOf(name, store);
  const missing = new Set(await missingParts(store, stored));
  const progress = new Map((await readChunkProgress(store, renderId)).map((one) => [one.index, one]));
  const chunks = jobChunks(stored).map((chunk) => chunkStatus(chunk, stored.plan, missing, progress));
  return {
    ...{ job: name, frames: stored.plan.frames, framesDone: sumOf(chunks.map((chunk) => chunk.framesDone)) },
    ...{ done: chunks.filter(({ state }) => state === 'done').length, total: stored.size, chunks },
  };
}

function chunkStatus(
  { index, parts }: JobChunk,
  plan: StoredPlan['plan'],
  missing: ReadonlySet<number>,
  progress: ReadonlyMap<number, ChunkProgress>,
): JobStatus['chunks'][number] {
  const sizes = parts.map((part) => (plan.chunks[part]?.end ?? 0) - (plan.chunks[part]?.start ?? 0));
  const written = parts.flatMap((part) => progress.get(part) ?? []);
  const attempts = Math.max(0, ...written.map((one) => one.attempts));
  const isDone = !parts.some((part) => missing.has(part));
  const error = isDone ? null : (written.find((one) => missing.has(one.index) && one.error)?.error ?? null);
  const done = parts.map((part, at) => (missing.has(part) ? (progress.get(part)?.framesDone ?? 0) : (sizes[at] ?? 0)));
  return {
    index,
    state: isDone ? 'done' : error ? 'failed' : attempts > 0 ? 'started' : 'waiting',
    ...{ frames: sumOf(sizes), framesDone: sumOf(done), attempts },
    updatedAt: written.length > 0 ? new Date(Math.max(...written.map((one) => one.updatedAt))).toISOString() : null,
    error,
  };
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

async function planOf(name: string, store: Job['store']): Promise<JobPlan> {
  const stored = await store.getJson<JobPlan>(planKey);
  if (!stored)
    throw new UserError('job_not_found', `There is no job in ${name}`, {
      hint: 'Plan it first: framework chunks plan <dir> --to <job>.',
    });
  // Plans of other versions may have another shape.
  if (stored.codeVersion !== (await programVersion())) throw otherVersion();
  return stored;
}

/** The indexes of chunks that are not rendered. */
async function missingChunks({ store }: Job, stored: JobPlan): Promise<number[]> {
  const missing = new Set(await missingParts(store, stored));
  return jobChunks(stored).flatMap(({ index, parts }) => (parts.some((part) => missing.has(part)) ? [index] : []));
}

/** The indexes of chunks of the plan without a segment. */
async function missingParts(store: Job['store'], stored: StoredPlan): Promise<number[]> {
  const expected = stored.plan.chunks.map(({ index }) => segmentKey(renderId, stored, index));
  const listed = await store.list(`${dirname(expected[0] ?? '')}/`);
  const found = new Set(listed.map(({ key }) => key));
  return expected.flatMap((key, index) => (found.has(key) ? [] : [index]));
}

function incomplete(missing: readonly number[], total: number): UserError {
  const shown = missing.slice(0, 10).join(', ');
  const more = missing.length > 10 ? ` and ${missing.length - 10} more` : '';
  return new UserError('job_incomplete', `${missing.length} of ${total} chunks are not rendered: ${shown}${more}`, {
    hint: 'Render them, or wait until they are rendered.',
  });
}

/** The codec and the container of the segments are those of the plan. */
function checkExtension(output: string, planned: string): void {
  const [own, wanted] = [extname(output), extname(planned)].map((one) => one.toLowerCase());
  if (own === wanted) return;
  throw new UserError('usage', `The job was planned for a video that ends with ${wanted}, not ${own || 'nothing'}`, {
    hint: 'Choose such a name, or plan again with --format.',
  });
}

/** Downloads the project to a temporary folder. */
async function inSite<T>(
  { store }: Job,
  stored: StoredPlan,
  { signal, surroundings, date }: JobOptions,
  work: (context: StepContext) => Promise<T>,
): Promise<T> {
  const { codeVersion } = stored;
  const workspace = await createWorkspace();
  const stopwatch = startStopwatch(date, true);
  try {
    const projectDir = await siteFolder(store, stored.siteId, workspace.folder);
    stopwatch.end('site');
    const worker = { memoryMb: 0, log: { group: '', stream: '', requestId: '' } };
    return await work({ store, projectDir, codeVersion, signal, worker, stopwatch, now: date, surroundings });
  } finally {
    await workspace.remove();
  }
}

/** Chunks that were rendered by different versions may differ visibly. */
const otherVersion = (): UserError =>
  new UserError('render_failed', 'This machine has another version of framework than the one that planned the video', {
    hint: 'Use the same version on all machines, or plan again.',
  });
