// Runs one leased render: fetches its archive, starts a worker, stores the files and ends the render in the database.
import { createWriteStream } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type HostLists, isAllowedHost } from '../../../renderer-core/model/hostPatterns.ts';
import type { Network } from '../../../renderer-core/project/remote/publicFetch.ts';
import { creditsFor } from '../../client/prices.ts';
import { ApiError } from '../api/apiErrors.ts';
import { checkFreeFailures } from '../api/quotas.ts';
import { allowedHostsOf, balanceOf } from '../auth/accounts.ts';
import type { ServiceContext, ServicePart } from '../context.ts';
import { openNetworkProxy } from '../isolation/networkProxy.ts';
import type { Sandbox } from '../isolation/sandbox.ts';
import { deleteUnnamedFiles, thumbnailKeyOf, videoKeyOf } from '../storage/resultFiles.ts';
import type { RenderRow } from '../storage/tables.ts';
import { completeRender, failRender } from './completeRender.ts';
import { heldFor, holdCredits } from './credits.ts';
import { type Lease, type LeaseTerms, type RequeueCause, requeue } from './leases.ts';
import { openResult } from './openResult.ts';
import { deletedFailure, type RenderFailure, renderFailure } from './renderFailure.ts';
import { deleteSegments, fetchSegments, storeSegments } from './renderSegments.ts';
import type { StackTarget } from './stackEngine.ts';
import type { WorkerJob, WorkerResult } from './workerMessages.ts';
import { runWorker, type StopReason, type WorkerEnd, type WorkerLimits, type WorkerRun } from './workerProcess.ts';
import type { WorkFolders } from './workFolders.ts';

export type RunContext = {
  context: ServiceContext;
  webhooks: ServicePart;
  folders: WorkFolders;
  limits: WorkerLimits;
  terms: LeaseTerms;
  /** The serverless stack that renders; null: workers render themselves. */
  stack: Omit<StackTarget, 'renderId'> | null;
};

/**
 * Runs a leased render to its end, or until `signal` stops it with a `StopReason`. Rejects when the database or the object
 * store fails; the lease then expires and the render is started again.
 */
export async function runLeasedRender(
  run: RunContext,
  lease: Lease,
  signal: AbortSignal,
  onProgress: (value: number) => void,
): Promise<void> {
  const { context, folders } = run;
  const facts = { render: lease.render.id, account: lease.render.account_id, attempt: lease.render.attempts };
  const started = context.now();
  context.log('info', 'render started', facts);
  const folder = await folders.create();
  try {
    const outcome = await produceVideo(run, lease, folder, signal, onProgress);
    context.log('info', `render ${outcome}`, { ...facts, ms: context.now() - started });
  } finally {
    await folders.remove(folder);
  }
}

/** Returns the outcome for the log. */
async function produceVideo(
  run: RunContext,
  lease: Lease,
  folder: string,
  signal: AbortSignal,
  onProgress: (value: number) => void,
): Promise<string> {
  const { context, limits } = run;
  const { render } = lease;
  const problem = (await refusal(context, render)) ?? (await fetchArchive(context, render, folder));
  if (problem) return fail(run, lease, problem);
  await fetchSegments(context, render, folder);
  let credits = 0;
  const onPlan: WorkerRun['onPlan'] = async ({ seconds, resolution }) => {
    credits = creditsFor(seconds, resolution);
    const held = await holdCredits(context.database, lease, credits, context.now());
    if (held.kind === 'lost') throw new LeaseLostError();
    if (held.kind === 'short') throw insufficientCredits(credits, held.balance);
  };
  const allowHosts = await hostsOf(context, render);
  if (run.stack !== null && allowHosts.length > 0) return fail(run, lease, notOnStack);
  const isolated = await isolation(run, render, folder, allowHosts);
  const job = jobOf(run, render, folder, { network: isolated.network, allowHosts });
  try {
    const { sandbox } = isolated;
    const end = await runWorker(job, { signal, limits, sandbox, env: context.env, onPlan, onProgress });
    if (end.kind === 'done') return await complete(run, lease, folder, end.result, credits);
    return await endWithoutVideo(run, lease, end, folder, signal);
  } catch (error) {
    if (error instanceof LeaseLostError) return 'lost';
    if (error instanceof ApiError) return fail(run, lease, renderFailure(error, []));
    throw error;
  } finally {
    await isolated.close();
  }
}

/** The lists of the service and of the account. */
export async function hostsOf({ database, settings }: ServiceContext, { account_id }: RenderRow): Promise<HostLists> {
  const account = await database
    .selectFrom('accounts')
    .select('allowed_hosts')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow();
  const lists = [settings.allowHosts, allowedHostsOf(account)];
  return lists.filter((list) => list !== undefined);
}

const notOnStack: RenderFailure = {
  code: 'permission_denied',
  message: 'The operator has limited the hosts of this account, which the serverless engine cannot do.',
};

type Isolated = { sandbox: Sandbox | undefined; network: Network; close(): Promise<void> };

/** A worker that renders on a stack runs no code of the project, and needs the network for AWS. */
async function isolation(
  { context, stack }: RunContext,
  { asset_id, project_url }: RenderRow,
  folder: string,
  allowHosts: HostLists,
): Promise<Isolated> {
  const { sandbox, allowPrivateTargets } = context.settings;
  if (sandbox === undefined || stack !== null)
    return { sandbox: undefined, network: allowPrivateTargets ? 'any' : 'public', close: async () => undefined };
  const socket = join(folder, 'network');
  // The archive is loaded through it too.
  const source = asset_id === null && project_url !== null ? new URL(project_url).hostname : undefined;
  const { close } = await openNetworkProxy(socket, {
    allowPrivate: allowPrivateTargets,
    mayConnect: (host) => host === source || isAllowedHost(allowHosts, host),
  });
  return { sandbox, network: `proxy:${socket}`, close };
}

/** The render has ended, or another instance has it. */
class LeaseLostError extends Error {}

/** Why no worker is started. An earlier attempt may hold the credits already. */
async function refusal({ database, now }: ServiceContext, render: RenderRow): Promise<RenderFailure | undefined> {
  const { id, account_id: account } = render;
  if ((await heldFor(database, id)) !== undefined) return undefined;
  if ((await balanceOf(database, account)) <= 0) return renderFailure(noCredits(), []);
  try {
    await checkFreeFailures(database, account, now());
    return undefined;
  } catch (error) {
    return renderFailure(error, []);
  }
}

const noCredits = (): ApiError => new ApiError('insufficient_credits', 'The account has no credits left.');

function insufficientCredits(credits: number, balance: number): ApiError {
  const left = Math.max(0, balance);
  return new ApiError('insufficient_credits', `The video costs ${credits} credits, but the account has ${left} left.`);
}

/** Copies an uploaded project into the worker's folder. Returns the failure if its file was deleted. */
async function fetchArchive(
  { database, objects }: ServiceContext,
  { asset_id: id }: RenderRow,
  folder: string,
): Promise<RenderFailure | undefined> {
  if (id === null) return undefined;
  const asset = await database.selectFrom('assets').select('object_key').where('id', '=', id).executeTakeFirst();
  // Retention clears the key when it deletes the file.
  const found = asset?.object_key ? await objects.get(asset.object_key) : undefined;
  if (!found)
    return { code: 'framework_project_invalid', message: `Asset ${id} was deleted. Upload the project again.` };
  await pipeline(found.body, createWriteStream(join(folder, 'project.zip'), { mode: 0o600 }));
  return undefined;
}

/** Several workers share the cores; each would choose a number of pages for the whole machine. Null: it may choose. */
export const pagesOfWorker = (workers: number, cores: number): number | null =>
  workers > 1 ? Math.max(1, Math.floor(cores / workers)) : null;

/** What the worker gets to know about the render and the service. */
export function jobOf(
  { context, stack }: Pick<RunContext, 'context' | 'stack'>,
  render: RenderRow,
  folder: string,
  reach: Pick<WorkerJob, 'network' | 'allowHosts'>,
): WorkerJob {
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
    size: JSON.parse(render.size ?? '{}') as WorkerJob['size'],
    variables: JSON.parse(render.variables) as Record<string, unknown>,
    strictVariables: render.strict_variables !== 0,
    ...reach,
    secureOnly: !settings.allowPrivateTargets,
    pages: pagesOfWorker(settings.workers, availableParallelism()),
    browserPath: settings.browserPath ?? null,
    ffmpegPath: settings.ffmpegPath ?? null,
    stack: stack && { ...stack, renderId: render.id },
  };
}

const contentTypes: Record<string, string> = { mp4: 'video/mp4', webm: 'video/webm', mov: 'video/quicktime' };

/**
 * Stores the files before the database reports them, so that a client that reads `completed` finds the video. After a crash
 * in between, the next attempt overwrites them.
 */
async function complete(
  { context, webhooks }: RunContext,
  lease: Lease,
  folder: string,
  { thumbnail, seconds: duration, fps, aspectRatio: aspect_ratio, resolution, engine, warnings }: WorkerResult,
  credits: number,
): Promise<string> {
  const { database, objects, metrics, now } = context;
  const { format } = lease.render;
  const videoKey = videoKeyOf(lease.render);
  const thumbnailKey = thumbnail === null ? null : thumbnailKeyOf(lease.render);
  const contentType = contentTypes[format] ?? 'application/octet-stream';
  const file = await openResult(folder, `video.${format}`);
  const { size: bytes } = await file.stat();
  await objects.put(videoKey, file.createReadStream(), { contentType });
  if (thumbnailKey !== null) {
    const image = await openResult(folder, 'thumbnail.jpg');
    await objects.put(thumbnailKey, image.createReadStream(), { contentType: 'image/jpeg' });
  }
  const files = { video_key: videoKey, video_bytes: bytes, thumbnail_key: thumbnailKey };
  const texts = { engine: JSON.stringify(engine), warnings: JSON.stringify(warnings) };
  const facts = { duration, fps, aspect_ratio, resolution, ...texts, credits };
  if (await completeRender(database, lease, { ...files, ...facts }, now())) {
    metrics.renderEnded({ code: null, credits });
    webhooks.wake();
    await deleteSegments(context, lease.render);
    return 'completed';
  }
  // Either the render was deleted meanwhile, and its files with it; or another process has it, and the files are its own.
  if (!(await failRender(database, lease, deletedFailure, now()))) {
    if (await hasFailed(context, lease.render)) await deleteUnnamedFiles(context, lease.render);
    return 'lost';
  }
  await deleteUnnamedFiles(context, lease.render);
  await deleteSegments(context, lease.render);
  return 'deleted';
}

/** Another process may have ended the render while this one was storing its files. */
async function hasFailed({ database }: ServiceContext, { id }: RenderRow): Promise<boolean> {
  const row = await database.selectFrom('renders').select('status').where('id', '=', id).executeTakeFirst();
  return row?.status === 'failed';
}

async function endWithoutVideo(
  run: RunContext,
  lease: Lease,
  end: Exclude<WorkerEnd, { kind: 'done' }>,
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  const { context, terms } = run;
  if (end.kind === 'aborted') {
    const reason = signal.reason as StopReason;
    if (reason === 'deleted') return fail(run, lease, deletedFailure);
    return reason === 'closing' ? putBack(run, lease, folder, 'closing') : 'lost';
  }
  context.log('warn', 'worker ended without a video', { render: lease.render.id, detail: end.detail });
  if (end.kind === 'failed') return fail(run, lease, end.failure);
  // The cause may have been temporary, such as a machine without free memory.
  if (lease.render.worker_deaths + 1 >= terms.maxWorkerDeaths) return fail(run, lease, end.failure);
  return putBack(run, lease, folder, 'worker died');
}

/** The next attempt continues with the segments that this one has finished. */
async function putBack(run: RunContext, lease: Lease, folder: string, cause: RequeueCause): Promise<string> {
  const { context } = run;
  await storeSegments(context, lease, folder);
  if (await requeue(context.database, lease, cause, context.now())) return 'requeued';
  // It was deleted since the last poll, or another process has it.
  return fail(run, lease, deletedFailure);
}

async function fail({ context, webhooks }: RunContext, lease: Lease, failure: RenderFailure): Promise<string> {
  const ended = await failRender(context.database, lease, failure, context.now());
  if (!ended) return 'lost';
  context.metrics.renderEnded({ code: failure.code, credits: ended.credits });
  webhooks.wake();
  if (lease.render.attempts > 1) await deleteUnnamedFiles(context, lease.render);
  await deleteSegments(context, lease.render);
  return `failed: ${failure.code}`;
}
