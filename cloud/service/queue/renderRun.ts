// One claimed render, from its archive to its end in the database.
import { createReadStream, createWriteStream } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ApiError } from './apiErrors.ts';
import { type Claim, type LeaseTerms, putBack } from './claims.ts';
import type { ServiceContext, ServicePart } from './context.ts';
import { creditsFor, holdCredits } from './credits.ts';
import { completeRender, failRender } from './renderEnds.ts';
import { internalFailure, type RenderFailure, renderFailure } from './renderFailure.ts';
import type { StackOrder } from './stackEngine.ts';
import type { RenderRow } from './tables.ts';
import type { WorkerJob, WorkerResult } from './workerMessages.ts';
import { runWorker, type WorkerEnd, type WorkerLimits } from './workerProcess.ts';
import type { WorkFolders } from './workFolders.ts';

export type RunContext = {
  context: ServiceContext;
  webhooks: ServicePart;
  folders: WorkFolders;
  limits: WorkerLimits;
  terms: LeaseTerms;
  /** Where renders are handed to; null: workers render themselves. */
  stack: Omit<StackOrder, 'renderId'> | null;
};

/** Why a run was stopped: the reason of its signal. */
export type StopReason = 'deleted' | 'lost' | 'closing';

/** Renders what was claimed and ends it. Rejects where the database or the store does: then the lease runs out. */
export async function runClaim(
  run: RunContext,
  claim: Claim,
  signal: AbortSignal,
  onProgress: (value: number) => void,
): Promise<void> {
  const { context, folders } = run;
  const facts = { render: claim.render.id, account: claim.render.account_id, attempt: claim.render.attempts };
  const started = context.now();
  context.log('info', 'render started', facts);
  const folder = await folders.create();
  try {
    const ended = await produce(run, claim, folder, signal, onProgress);
    context.log('info', `render ${ended}`, { ...facts, ms: context.now() - started });
  } finally {
    await folders.remove(folder);
  }
}

async function produce(
  run: RunContext,
  claim: Claim,
  folder: string,
  signal: AbortSignal,
  onProgress: (value: number) => void,
): Promise<string> {
  const { context, limits } = run;
  const { render } = claim;
  const problem = await fetchArchive(context, render, folder);
  if (problem) return fail(run, claim, problem);
  let credits = 0;
  const onPlan = async (seconds: number): Promise<void> => {
    credits = creditsFor(seconds, render.resolution);
    const held = await holdCredits(context.database, claim, credits, context.now());
    if (held.kind === 'lost') throw new Lost();
    if (held.kind === 'short') throw shortOfCredits(credits, held.balance);
  };
  const job = jobOf(run, render, folder);
  try {
    const end = await runWorker(job, { signal, limits, onPlan, onProgress });
    if (end.kind === 'done') return await complete(run, claim, folder, end.result, credits);
    return await endWithout(run, claim, end, signal);
  } catch (error) {
    if (error instanceof Lost) return 'lost';
    if (error instanceof ApiError) return fail(run, claim, renderFailure(error, []));
    throw error;
  }
}

/** Another instance has the render, or it has ended. */
class Lost extends Error {}

function shortOfCredits(credits: number, balance: number): ApiError {
  const left = Math.max(0, balance);
  return new ApiError('insufficient_credits', `The video costs ${credits} credits, and ${left} are left.`);
}

/** Puts the uploaded project into the worker's folder. What it cannot be had for is told. */
async function fetchArchive(
  { database, objects }: ServiceContext,
  { asset_id: id }: RenderRow,
  folder: string,
): Promise<RenderFailure | undefined> {
  if (id === null) return undefined;
  const asset = await database.selectFrom('assets').select('object_key').where('id', '=', id).executeTakeFirst();
  // Retention takes the key away with the file.
  const found = asset?.object_key ? await objects.get(asset.object_key) : undefined;
  if (!found) return { code: 'framework_project_invalid', message: `The asset ${id} is no longer there.` };
  await pipeline(found.body, createWriteStream(join(folder, 'project.zip'), { mode: 0o600 }));
  return undefined;
}

function jobOf({ context, stack }: RunContext, render: RenderRow, folder: string): WorkerJob {
  const { settings } = context;
  return {
    folder,
    projectUrl: render.asset_id === null ? render.project_url : null,
    composition: render.composition,
    fps: render.fps,
    quality: render.quality,
    format: render.format,
    resolution: render.resolution,
    aspectRatio: render.aspect_ratio,
    variables: JSON.parse(render.variables) as Record<string, unknown>,
    strictVariables: render.strict_variables !== 0,
    allowPrivate: settings.allowPrivateTargets,
    // Several workers share the cores: measured one by one, each would take them all.
    pages: settings.workers > 1 ? Math.max(1, Math.floor(availableParallelism() / settings.workers)) : null,
    browserPath: settings.browserPath ?? null,
    ffmpegPath: settings.ffmpegPath ?? null,
    stack: stack && { ...stack, renderId: render.id },
  };
}

const contentTypes: Record<string, string> = { mp4: 'video/mp4', webm: 'video/webm', mov: 'video/quicktime' };

/** Stores the files first: who is told that the video is there finds it. What a crash leaves, the next attempt replaces. */
async function complete(
  { context, webhooks }: RunContext,
  claim: Claim,
  folder: string,
  { video, thumbnail, seconds: duration, bytes, fps, aspectRatio: aspect_ratio, warnings }: WorkerResult,
  credits: number,
): Promise<string> {
  const { database, objects, now } = context;
  const { id, format } = claim.render;
  const videoKey = `videos/${id}.${format}`;
  const thumbnailKey = thumbnail === null ? null : `thumbnails/${id}.jpg`;
  const contentType = contentTypes[format] ?? 'application/octet-stream';
  await objects.put(videoKey, createReadStream(join(folder, video)), { contentType });
  if (thumbnail !== null && thumbnailKey !== null)
    await objects.put(thumbnailKey, createReadStream(join(folder, thumbnail)), { contentType: 'image/jpeg' });
  const files = { video_key: videoKey, video_bytes: bytes, thumbnail_key: thumbnailKey };
  const facts = { duration, fps, aspect_ratio, warnings: JSON.stringify(warnings), credits };
  if (await completeRender(database, claim, { ...files, ...facts }, now())) {
    webhooks.wake();
    return 'completed';
  }
  // Deleted in the last moment: nobody will ask for the files. Else they are those of who has the render now.
  if (!(await failRender(database, claim, deleted, now()))) return 'lost';
  for (const key of [videoKey, thumbnailKey]) if (key !== null) await objects.delete(key);
  return 'deleted';
}

const deleted: RenderFailure = { code: 'render_deleted', message: 'It was deleted before it was done.' };

/** A worker that has no video to show. */
async function endWithout(
  run: RunContext,
  claim: Claim,
  end: Exclude<WorkerEnd, { kind: 'done' }>,
  signal: AbortSignal,
): Promise<string> {
  const { context, terms } = run;
  if (end.kind === 'aborted') {
    const reason = signal.reason as StopReason;
    if (reason === 'deleted') return fail(run, claim, deleted);
    if (reason === 'closing') await putBack(context.database, claim, true);
    return reason === 'closing' ? 'put back' : 'lost';
  }
  context.log('warn', 'worker ended without a video', { render: claim.render.id, detail: end.detail });
  if (end.kind === 'failed') return fail(run, claim, end.failure);
  // Whatever killed it may have been a moment's trouble of the machine.
  if (claim.render.attempts >= terms.maxAttempts) return fail(run, claim, internalFailure);
  await putBack(context.database, claim, false);
  return 'put back';
}

async function fail({ context, webhooks }: RunContext, claim: Claim, failure: RenderFailure): Promise<string> {
  if (!(await failRender(context.database, claim, failure, context.now()))) return 'lost';
  webhooks.wake();
  return `failed: ${failure.code}`;
}
