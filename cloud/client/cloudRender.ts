// A hosted render from the project folder to the video: check, pack, upload, submit, wait, download.
import { randomUUID } from 'node:crypto';
import { UserError } from '../errors.ts';
import { archiveProject, type ProjectArchive } from '../project/zip.ts';
import type { ApiClient } from './apiClient.ts';
import type { RenderOrder, RenderRecord, RenderStatus } from './apiTypes.ts';
import { explain, stopped } from './cloudErrors.ts';
import { checkOutput } from './download.ts';
import type { CloudStage, OnCloudEvent } from './events.ts';
import { finishRender } from './finishRender.ts';
import { readLocalProject } from './localProject.ts';
import {
  checkIdempotencyKey,
  checkOrder,
  checkProjectUrl,
  formatWarnings,
  type OrderOptions,
  type OrderSettings,
} from './order.ts';
import { submitRender } from './renders.ts';
import { uploadArchive } from './upload.ts';

/** One of `projectDir`, `assetId` and `url`; the current folder without any. What is left out is the service's to choose. */
export type CloudRenderRequest = OrderOptions & {
  /** A project folder or the .html file of a composition. */
  projectDir?: string;
  /** A project that was uploaded before. */
  assetId?: string;
  /** A zip archive that the service fetches. */
  url?: string;
  /** Where the video goes; `renders/<render id>.<ext>` without it. */
  output?: string;
  /** Makes the same request twice one render, for 24 hours. A random one without it, for repeats of our own. */
  idempotencyKey?: string;
  /** `false`: ends once the render is accepted. */
  wait?: boolean;
  pollIntervalMs?: number;
  maxWaitMs?: number;
  signal?: AbortSignal;
  onEvent?: OnCloudEvent;
};

/** What would be sent. The order of a local project gets its asset_id by the upload. */
export type CloudPlan = {
  order: OrderSettings & { project: RenderOrder['project'] | { type: 'asset_id'; asset_id: null } };
  /** Null where the service has the project already. */
  archive: ProjectArchive | null;
  idempotencyKey: string;
  warnings: string[];
};

export type CloudReport = {
  renderId: string;
  /** For further renders of the same project without an upload; null for a project by URL. */
  assetId: string | null;
  status: RenderStatus;
  /** As the service tells it at the end; null without waiting. */
  record: RenderRecord | null;
  /** Absolute; null without waiting. */
  output: string | null;
  bytes: number | null;
};

/** Decision: an upload has at most 200 MB. */
export const largestArchive = 200_000_000;

/** Checks everything that can be checked here, and packs. Sends nothing. Throws UserError. */
export async function planCloudRender(request: CloudRenderRequest): Promise<CloudPlan> {
  try {
    return await plan(request);
  } catch (error) {
    throw request.signal?.aborted ? stopped('check', error) : error;
  }
}

async function plan(request: CloudRenderRequest): Promise<CloudPlan> {
  const { projectDir, assetId, url, output, onEvent, signal } = request;
  const given = [projectDir, assetId, url].filter((one) => one !== undefined).length;
  if (given > 1) {
    throw new UserError('usage', 'A render has one project: a folder, --asset-id or --url', {
      hint: 'Name one of them.',
    });
  }
  const settings = checkOrder(request, output);
  const idempotencyKey =
    request.idempotencyKey === undefined ? randomUUID() : checkIdempotencyKey(request.idempotencyKey);
  if (output !== undefined && request.wait !== false) await checkOutput(output);
  const common = { idempotencyKey, warnings: formatWarnings(settings, output) };
  if (assetId !== undefined) {
    return { ...common, archive: null, order: { project: { type: 'asset_id', asset_id: assetId }, ...settings } };
  }
  if (url !== undefined) {
    return { ...common, archive: null, order: { project: { type: 'url', url: checkProjectUrl(url) }, ...settings } };
  }
  onEvent?.({ type: 'stage', stage: 'check', message: 'Checking the project' });
  const { composition, fps } = request;
  const local = await readLocalProject({ projectDir: projectDir ?? '.', composition, settings, fps, output, signal });
  onEvent?.({ type: 'stage', stage: 'pack', message: packingText(local.files.length) });
  const archive = await archiveProject(local.files, { limit: largestArchive, ...(signal ? { signal } : {}) });
  const warnings = [...common.warnings, ...local.warnings];
  return {
    idempotencyKey,
    warnings,
    archive,
    order: { project: { type: 'asset_id', asset_id: null }, ...local.settings },
  };
}

/**
 * Throws UserError: what `planCloudRender` throws, the API's codes, `render_failed`, `wait_exceeded`, `download_failed`,
 * `output_unwritable`, `disk_full`, `cancelled`. Once there is a render, the error's `details` have its `render_id`.
 */
export async function renderInCloud(client: ApiClient, request: CloudRenderRequest): Promise<CloudReport> {
  const planned = await planCloudRender(request);
  const { onEvent, wait = true } = request;
  for (const message of planned.warnings) onEvent?.({ type: 'warning', message });
  const { order, submitted } = await send(client, planned, request);
  const { renderId, status } = submitted;
  const assetId = order.project.type === 'asset_id' ? order.project.asset_id : null;
  if (!wait) {
    onEvent?.({ type: 'done', renderId, status, output: null });
    return { renderId, assetId, status, record: null, output: null, bytes: null };
  }
  // What the failure of a project that is here can be looked at with.
  const local = planned.archive ? { ...request, projectDir: request.projectDir ?? '.' } : undefined;
  const { record, download } = await finishRender(client, renderId, { ...request, local, told: planned.warnings });
  const { path, bytes } = download;
  return { renderId, assetId, status: record.status, record, output: path, bytes };
}

/** Uploads where there is something to upload, and submits. */
async function send(client: ApiClient, { archive, order, idempotencyKey }: CloudPlan, request: CloudRenderRequest) {
  const { signal, onEvent } = request;
  let stage: CloudStage = 'upload';
  try {
    let { project } = order;
    if (archive) {
      onEvent?.({ type: 'stage', stage, message: `Uploading ${sizeText(archive.bytes)}` });
      const onBytes = (done: number) => onEvent?.({ type: 'bytes', stage: 'upload', done, total: archive.bytes });
      const asset = await uploadArchive(client, archive, { idempotencyKey, signal, onBytes });
      project = { type: 'asset_id', asset_id: asset.asset_id };
    }
    if (project.type === 'asset_id' && project.asset_id === null) throw new Error('the project was not uploaded');
    const complete: RenderOrder = { ...order, project };
    stage = 'submit';
    onEvent?.({ type: 'stage', stage, message: 'Submitting the render' });
    const submitted = await submitRender(client, complete, { idempotencyKey, signal });
    onEvent?.({ type: 'submitted', ...submitted });
    return { order: complete, submitted };
  } catch (error) {
    if (signal?.aborted) throw stopped(stage, error, idempotencyKey);
    throw explain(error, stage, idempotencyKey);
  }
}

const packingText = (files: number): string => `Packing ${files} file${files === 1 ? '' : 's'}`;

const sizeText = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
