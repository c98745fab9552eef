// Render requests of an account: submit, get, list and delete.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RenderRecord } from '../../client/apiTypes.ts';
import type { ServiceContext } from '../context.ts';
import { changeStoredBytes, lockExistingAccount } from '../storage/accountTotals.ts';
import { newId } from '../storage/ids.ts';
import { deleteHold } from '../storage/ledger.ts';
import { deleteUnnamedFiles } from '../storage/resultFiles.ts';
import type { RenderRow, Session } from '../storage/tables.ts';
import { ApiError } from './apiErrors.ts';
import { type RenderOrderInput, renderIdPattern } from './apiSchemas.ts';
import { useAsset } from './assets.ts';
import { checkVariables } from './checkVariables.ts';
import { jsonHash, withIdempotencyKey } from './idempotency.ts';
import { checkRenderQuota } from './quotas.ts';

export type RenderTicket = { render_id: string; status: RenderRow['status'] };

const endpoint = 'POST /v3/framework/renders';

/**
 * Throws ApiError `invalid_parameter`, `framework_project_invalid`, `insufficient_credits`, `quota_exceeded`,
 * `insufficient_storage` or `idempotency_conflict`. The caller wakes the queue.
 */
export async function submitRender(
  context: ServiceContext,
  request: { accountId: string; order: RenderOrderInput; key: string | undefined },
): Promise<{ result: RenderTicket; replayed: boolean }> {
  const { accountId, order, key } = request;
  checkTargets(context, order);
  const now = context.now();
  // Reading a large request takes as long as the rest: others are served in between.
  await nextTurn();
  const hash = key === undefined ? '' : jsonHash(order);
  return context.database.transaction().execute(async (session) => {
    const totals = await lockExistingAccount(session, accountId);
    return withIdempotencyKey(session, { accountId, endpoint, key, hash }, now, async () => {
      if (order.project.type === 'asset_id') {
        await useAsset(session, accountId, order.project.asset_id, now);
        await checkVariables(session, order.project.asset_id, order);
      }
      if (totals.balance <= 0) throw new ApiError('insufficient_credits', 'The account has no credits left.');
      await checkRenderQuota(session, context, accountId, totals);
      const row = newRender(accountId, order, now);
      await session.insertInto('renders').values(row).execute();
      return { render_id: row.id, status: row.status };
    });
  });
}

/** Plain http is only allowed with private targets, for local development. */
function checkTargets({ settings }: ServiceContext, { callback_url, project }: RenderOrderInput): void {
  if (settings.allowPrivateTargets) return;
  rejectPlainHttp('callback_url', callback_url, 'callback_url');
  // The worker would reject it too, but only after the render has waited in the queue.
  if (project.type === 'url') rejectPlainHttp('url', project.url, 'project.url');
}

function rejectPlainHttp(name: string, url: string | undefined, param: string): void {
  if (url === undefined || new URL(url).protocol === 'https:') return;
  throw new ApiError('invalid_parameter', `${name} must begin with https://.`, { param });
}

/** Returns a queued render with the defaults of options that `order` leaves out. */
export function newRender(accountId: string, order: RenderOrderInput, now: number): RenderRow {
  const { project } = order;
  return {
    id: newId('rnd'),
    account_id: accountId,
    status: 'queued',
    progress: 0,
    title: order.title ?? null,
    callback_id: order.callback_id ?? null,
    callback_url: order.callback_url ?? null,
    asset_id: project.type === 'asset_id' ? project.asset_id : null,
    project_url: project.type === 'url' ? project.url : null,
    composition: order.composition ?? 'index.html',
    fps: order.fps ?? null,
    quality: order.quality ?? 'standard',
    format: order.format ?? 'mp4',
    resolution: order.resolution ?? '1080p',
    aspect_ratio: order.aspect_ratio ?? null,
    size: sizeOf(order),
    variables: JSON.stringify(order.variables ?? {}),
    strict_variables: order.strict_variables ? 1 : 0,
    video_key: null,
    video_bytes: null,
    thumbnail_key: null,
    duration: null,
    credits: null,
    failure_code: null,
    failure_message: null,
    engine: null,
    warnings: null,
    created_at: now,
    started_at: null,
    completed_at: null,
    deleted_at: null,
    lease_owner: null,
    lease_expires_at: null,
    attempts: 0,
    worker_deaths: 0,
    interruptions: 0,
    segments: null,
  };
}

/** The options that have no column of their own, as JSON. */
function sizeOf({ width, height, fit, background }: RenderOrderInput): string | null {
  const json = JSON.stringify({ width, height, fit, background });
  return json === '{}' ? null : json;
}

/** Throws ApiError `framework_render_not_found`, also for deleted renders and those of other accounts. */
export async function getRender(context: ServiceContext, accountId: string, id: string): Promise<RenderRecord> {
  const row =
    renderIdPattern.test(id) && (await ownRenders(context, accountId).where('id', '=', id).executeTakeFirst());
  if (!row) throw notFound(id);
  return renderRecordOf(context, row);
}

/** What records are made of. The values of variables would be most of what a list reads. */
const recordColumns = [
  ...(['id', 'status', 'progress', 'title', 'callback_id', 'video_key', 'thumbnail_key', 'duration'] as const),
  ...(['fps', 'quality', 'format', 'resolution', 'aspect_ratio', 'composition', 'created_at', 'completed_at'] as const),
  ...(['credits', 'failure_code', 'failure_message', 'engine', 'warnings'] as const),
] as const;

export type RecordRow = Pick<RenderRow, (typeof recordColumns)[number]>;

function ownRenders({ database }: ServiceContext, accountId: string) {
  return database
    .selectFrom('renders')
    .select(recordColumns)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null);
}

function notFound(id: string): ApiError {
  return new ApiError('framework_render_not_found', `Render ${id.slice(0, 100)} does not exist.`);
}

/** Newest first. Throws ApiError `invalid_parameter` if `token` is invalid. */
export async function listRenders(
  context: ServiceContext,
  accountId: string,
  { limit = 10, token }: { limit?: number | undefined; token?: string | undefined },
): Promise<{ data: RenderRecord[]; has_more: boolean; next_token: string | null }> {
  let query = ownRenders(context, accountId);
  if (token !== undefined) {
    const { createdAt, id } = readToken(token);
    query = query.where(({ eb, or, and }) =>
      or([eb('created_at', '<', createdAt), and([eb('created_at', '=', createdAt), eb('id', '<', id)])]),
    );
  }
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    data: await Promise.all(shown.map((row) => renderRecordOf(context, row))),
    has_more: last !== undefined,
    next_token: last === undefined ? null : Buffer.from(`${last.created_at} ${last.id}`).toString('base64url'),
  };
}

/** The token only says where the previous page ended. It does not give access to other accounts' renders. */
function readToken(token: string): { createdAt: number; id: string } {
  const text = /^[A-Za-z0-9_-]{1,200}$/.test(token) ? Buffer.from(token, 'base64url').toString('latin1') : '';
  const [, createdAt = '', id = ''] = /^(\d{1,15}) (.*)$/s.exec(text) ?? [];
  if (renderIdPattern.test(id)) return { createdAt: Number(createdAt), id };
  throw new ApiError('invalid_parameter', 'token must be the next_token of the previous page.', { param: 'token' });
}

/**
 * Hides the render and deletes its files at once. A queued render is not started and its held credits are released; a
 * running one is stopped by its worker, which polls for deletion. The caller wakes the queue. Throws ApiError
 * `framework_render_not_found`.
 */
export async function deleteRender(context: ServiceContext, accountId: string, id: string): Promise<void> {
  const now = context.now();
  const deleted = renderIdPattern.test(id)
    ? await context.database.transaction().execute((session) => markDeleted(session, accountId, id, now))
    : undefined;
  if (!deleted) throw notFound(id);
  if (deleted.status === 'queued') context.metrics.renderEnded({ code: cancelled.failure_code, credits: 0 });
  await deleteFiles(context, deleted);
  if (deleted.status === 'queued' && deleted.attempts > 0) await deleteUnnamedFiles(context, deleted);
}

const cancelled = {
  status: 'failed',
  failure_code: 'render_deleted',
  failure_message: 'The render was deleted before it started.',
} as const;

/** `status`: when it was deleted. */
type DeletedRender = Pick<RenderRow, 'id' | 'status' | 'attempts' | 'format' | 'video_key' | 'thumbnail_key'>;

/** Returns undefined if the account has no such render. */
async function markDeleted(
  session: Session,
  accountId: string,
  id: string,
  now: number,
): Promise<DeletedRender | undefined> {
  const deleted = await session
    .updateTable('renders')
    .set({ deleted_at: now })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .returning(['id', 'status', 'attempts', 'format', 'video_key', 'video_bytes', 'thumbnail_key'])
    .executeTakeFirst();
  if (!deleted) return undefined;
  if (deleted.video_key !== null) await changeStoredBytes(session, accountId, -(deleted.video_bytes ?? 0));
  if (deleted.status !== 'queued') return deleted;
  await session
    .updateTable('renders')
    .set({ ...cancelled, completed_at: now })
    .where('id', '=', id)
    .execute();
  await deleteHold(session, id);
  return deleted;
}

async function deleteFiles(
  { database, objects, log }: ServiceContext,
  { id, video_key, thumbnail_key }: DeletedRender,
): Promise<void> {
  const keys = [video_key, thumbnail_key].filter((key) => key !== null);
  if (keys.length === 0) return;
  try {
    for (const key of keys) await objects.delete(key);
    await database.updateTable('renders').set({ video_key: null, thumbnail_key: null }).where('id', '=', id).execute();
  } catch (error) {
    // Retention repeats it.
    log('warn', 'files of a deleted render remain', { render: id, error: String(error) });
  }
}

/** The render as clients see it, with new signed URLs. */
export async function renderRecordOf(context: ServiceContext, row: RecordRow): Promise<RenderRecord> {
  const isCompleted = row.status === 'completed';
  const [videoUrl, thumbnailUrl] = await Promise.all([
    isCompleted ? signedUrl(context, row, row.video_key) : null,
    isCompleted ? signedUrl(context, row, row.thumbnail_key) : null,
  ]);
  return {
    render_id: row.id,
    status: row.status,
    progress: isCompleted ? 1 : row.progress,
    title: row.title,
    callback_id: row.callback_id,
    video_url: videoUrl,
    thumbnail_url: thumbnailUrl,
    duration: row.duration,
    fps: row.fps,
    quality: row.quality,
    format: row.format,
    resolution: row.resolution,
    aspect_ratio: row.aspect_ratio,
    composition: row.composition,
    created_at: Math.floor(row.created_at / 1000),
    completed_at: row.completed_at === null ? null : Math.floor(row.completed_at / 1000),
    credits: row.credits,
    failure_code: row.failure_code,
    failure_message: row.failure_message,
    engine: row.engine === null ? null : (JSON.parse(row.engine) as RenderRecord['engine']),
    warnings: row.warnings === null ? [] : (JSON.parse(row.warnings) as string[]),
  };
}

const contentTypes: Record<string, string> = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
};

function signedUrl(context: ServiceContext, row: RecordRow, key: string | null): Promise<string | null> | null {
  if (key === null) return null;
  const extension = key.slice(key.lastIndexOf('.') + 1);
  return context.objects.signedUrl(key, {
    expiresAt: context.now() + context.settings.urlLifetime * 1000,
    filename: `${row.id}.${extension}`,
    contentType: contentTypes[extension] ?? 'application/octet-stream',
  });
}
