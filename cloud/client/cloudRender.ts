// Renders a project with the hosted service: check, pack, upload, submit, wait, download.
import { randomUUID } from 'node:crypto';
import { UserError } from '../../renderer-core/errors.ts';
import type { WriteBytes } from '../../renderer-core/project/output/outputStream.ts';
import { checkFileOutput } from '../../renderer-core/project/output/outputTarget.ts';
import type { UploadFile } from '../../renderer-core/project/uploadFiles.ts';
import {
  type ArchiveSummary,
  createArchive,
  measureArchive,
  type ProjectArchive,
} from '../../renderer-core/project/zip.ts';
import { submitRender } from './accountRenders.ts';
import type { ApiClient } from './apiClient.ts';
import type { RenderOrder, RenderRecord, RenderStatus } from './apiTypes.ts';
import { addNextStep, cancelledBeforeRender } from './cloudErrors.ts';
import type { CloudStage, OnCloudEvent } from './cloudEvents.ts';
import { finishRender } from './finishRender.ts';
import { readLocalProject } from './localProject.ts';
import {
  checkIdempotencyKey,
  checkOrder,
  checkProjectUrl,
  type OrderOptions,
  type OrderSettings,
} from './renderRequest.ts';
import { uploadArchive } from './uploadArchive.ts';

/** One of `projectDir`, `assetId` and `url`; default is the current folder. The service chooses what is not given. */
export type CloudRenderRequest = OrderOptions & {
  /** A project folder or the .html file of a composition. */
  projectDir?: string;
  /** A project that was uploaded before. */
  assetId?: string;
  /** A zip archive that the service fetches. */
  url?: string;
  /** Path of the video: a file, a device or a pipe, or `-` for `stdout`. Default `renders/<render id>.<ext>`. */
  output?: string;
  /** Writes to standard output. */
  stdout?: WriteBytes;
  /** Requests with the same key within 24 hours create one render. Default is a random key. */
  idempotencyKey?: string;
  /** `false`: return as soon as the service has accepted the render. */
  wait?: boolean;
  pollIntervalMs?: number;
  maxWaitMs?: number;
  signal?: AbortSignal;
  onEvent?: OnCloudEvent;
};

/** The upload and the request that `renderInCloud` would send. The asset_id of a local project is known after the upload. */
export type CloudPlan = {
  order: OrderSettings & { project: RenderOrder['project'] | { type: 'asset_id'; asset_id: null } };
  /** Null when the service already has the project. */
  archive: ArchiveSummary | null;
  idempotencyKey: string;
  warnings: string[];
};

export type CloudReport = {
  renderId: string;
  /** Renders the same project again without an upload. Null for a project by URL. */
  assetId: string | null;
  status: RenderStatus;
  /** The finished render; null with `wait: false`. */
  record: RenderRecord | null;
  /** Absolute path of the video; null with `wait: false`. */
  output: string | null;
  bytes: number | null;
};

/** Largest upload that the service accepts, in bytes. */
const maxArchiveBytes = 200_000_000;

/** Checks everything that can be checked locally, and measures the archive. Sends nothing. Throws UserError. */
export async function planCloudRender(request: CloudRenderRequest): Promise<CloudPlan> {
  return prepare(request, async (files, options) => measureArchive(files, options));
}

type Pack<Archive> = (
  files: readonly UploadFile[],
  options: { limit: number; signal?: AbortSignal },
) => Promise<Archive>;

type Prepared<Archive> = Omit<CloudPlan, 'archive'> & { archive: Archive | null };

async function prepare<Archive>(
  request: CloudRenderRequest,
  pack: Pack<Archive>,
  checkCredential?: () => Promise<void>,
): Promise<Prepared<Archive>> {
  try {
    return await checkAndPack(request, pack, checkCredential);
  } catch (error) {
    throw request.signal?.aborted ? cancelledBeforeRender('check', error) : error;
  }
}

async function checkAndPack<Archive>(
  request: CloudRenderRequest,
  pack: Pack<Archive>,
  checkCredential?: () => Promise<void>,
): Promise<Prepared<Archive>> {
  const { projectDir, assetId, url, output, onEvent, signal } = request;
  const given = [projectDir, assetId, url].filter((one) => one !== undefined).length;
  if (given > 1) {
    throw new UserError('usage', 'A project folder, --asset-id and --url cannot be combined', {
      hint: 'Use only one of them.',
    });
  }
  const settings = checkOrder(request, output);
  const idempotencyKey =
    request.idempotencyKey === undefined ? randomUUID() : checkIdempotencyKey(request.idempotencyKey);
  if (output !== undefined && request.wait !== false) await checkFileOutput(output, request);
  await checkCredential?.();
  const common = { idempotencyKey, warnings: [] };
  if (assetId !== undefined) {
    return { ...common, archive: null, order: { project: { type: 'asset_id', asset_id: assetId }, ...settings } };
  }
  if (url !== undefined) {
    return { ...common, archive: null, order: { project: { type: 'url', url: checkProjectUrl(url) }, ...settings } };
  }
  onEvent?.({ type: 'stage', stage: 'check', message: 'Checking the project' });
  const { composition, fps, variablesSource } = request;
  const options = { projectDir: projectDir ?? '.', composition, settings, variablesSource, fps, output, signal };
  const local = await readLocalProject(options);
  onEvent?.({ type: 'stage', stage: 'pack', message: packingText(local.files.length) });
  const archive = await pack(local.files, { limit: maxArchiveBytes, ...(signal ? { signal } : {}) });
  return {
    idempotencyKey,
    warnings: local.warnings,
    archive,
    order: { project: { type: 'asset_id', asset_id: null }, ...local.settings },
  };
}

/**
 * Throws UserError with the codes of `planCloudRender` and of the API, and `render_failed`, `wait_exceeded`,
 * `download_failed`, `output_unwritable`, `disk_full` or `cancelled`. Once the render exists, the error's `details`
 * contain its `render_id`.
 */
export async function renderInCloud(client: ApiClient, request: CloudRenderRequest): Promise<CloudReport> {
  const prepared = await prepare(request, createArchive, () => client.checkCredential(request.signal));
  const { onEvent, wait = true } = request;
  const { order, submitted } = await uploadAndSubmit(client, prepared, request).finally(() =>
    prepared.archive?.close(),
  );
  const { renderId, status } = submitted;
  const assetId = order.project.type === 'asset_id' ? order.project.asset_id : null;
  if (!wait) {
    onEvent?.({ type: 'done', renderId, status, output: null });
    return { renderId, assetId, status, record: null, output: null, bytes: null };
  }
  const local = prepared.archive ? { ...request, projectDir: request.projectDir ?? '.' } : undefined;
  const { record, download } = await finishRender(client, renderId, { ...request, local, reported: prepared.warnings });
  const { path, bytes } = download;
  return { renderId, assetId, status: record.status, record, output: path, bytes };
}

async function uploadAndSubmit(
  client: ApiClient,
  { archive, order, idempotencyKey, warnings }: Prepared<ProjectArchive>,
  request: CloudRenderRequest,
) {
  const { signal, onEvent } = request;
  let stage: CloudStage = 'upload';
  try {
    for (const message of warnings) onEvent?.({ type: 'warning', message });
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
    if (signal?.aborted) throw cancelledBeforeRender(stage, error, idempotencyKey);
    throw addNextStep(error, stage, idempotencyKey);
  }
}

const packingText = (files: number): string => `Packing ${files} file${files === 1 ? '' : 's'}`;

const sizeText = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
