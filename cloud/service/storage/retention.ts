// Deletes data that is no longer needed: old results and projects, files of deleted renders, and expired records.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExpressionBuilder } from 'kysely';
import { statIfExists } from '../../../renderer-core/project/statIfExists.ts';
import { forgetUpload, unusedAssetMs, uploadsFolder } from '../api/assets.ts';
import { idempotencyMs } from '../api/idempotency.ts';
import { releaseExpiredUploads } from '../api/quotas.ts';
import type { ServiceContext, ServicePart } from '../context.ts';
import { deleteSegments } from '../queue/renderSegments.ts';
import { changeStoredBytes, lockAccount } from './accountTotals.ts';
import { isTempObject } from './diskObjects.ts';
import type { RenderRow, Session, Tables } from './tables.ts';

const roundMs = 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
/** What was deleted just now may still be in use by a transaction, an upload or a download. */
const graceMs = 2 * 60 * 60 * 1000;
const batchSize = 200;

export function startRetention(context: ServiceContext): ServicePart {
  let running: Promise<void> | undefined;
  let isClosed = false;
  const round = (): void => {
    if (isClosed || running) return;
    running = cleanUp(context)
      .catch((error: unknown) => context.log('error', 'retention failed', { error: String(error) }))
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(round, roundMs);
  timer.unref();
  round();
  return {
    wake: round,
    async close() {
      isClosed = true;
      clearInterval(timer);
      await running;
    },
  };
}

/**
 * One round. Several instances may run it at once: every step can be repeated. What fails is logged, does not keep the rest from
 * being deleted, and is tried again in the next round.
 */
export async function cleanUp(context: ServiceContext): Promise<void> {
  await deleteOldData(context);
  await attempt(context, 'temporary files', () => deleteTempFiles(context));
}

/** Rows, and the files that they name. */
export async function deleteOldData(context: ServiceContext): Promise<void> {
  await attempt(context, 'expired uploads', () => releaseExpiredUploads(context.database, context.now()));
  await attempt(context, 'old assets', () => retireAssets(context));
  await attempt(context, 'files of assets', () => deleteAssets(context));
  await attempt(context, 'results', () => deleteResults(context));
  await attempt(context, 'segments', () => deleteLeftSegments(context));
  await deleteRecords(context);
  await attempt(context, 'webhooks', () => deleteDeliveries(context));
}

/** `what`: for the log. */
async function attempt({ log }: ServiceContext, what: string, run: () => Promise<unknown>): Promise<void> {
  await run().catch((error: unknown) => log('error', 'retention failed', { what, error: String(error) }));
}

/**
 * Calls `run` for each row of all batches, which `fetch` reads in the order of their IDs. A row that fails is not fetched again
 * in this round.
 */
async function forEachRow<Row extends { id: string }>(
  context: ServiceContext,
  fetch: (afterId: string) => Promise<Row[]>,
  run: (row: Row) => Promise<unknown>,
): Promise<void> {
  let afterId = '';
  for (let isFull = true; isFull; ) {
    const rows = await fetch(afterId);
    for (const row of rows) await attempt(context, row.id, () => run(row));
    isFull = rows.length === batchSize;
    afterId = rows.at(-1)?.id ?? afterId;
  }
}

/**
 * Marks projects as deleted that no render has used within the retention time, and those that no render has ever used after
 * a day. Projects of waiting renders stay.
 */
async function retireAssets(context: ServiceContext): Promise<void> {
  const accounts = await oldAssets(context.database, context).select('account_id').distinct().execute();
  for (const { account_id: account } of accounts)
    await attempt(context, account, () => retireAssetsOf(context, account));
}

function retireAssetsOf(context: ServiceContext, account: string): Promise<void> {
  return context.database.transaction().execute(async (session) => {
    // Renders are submitted with this lock, so an asset is either used before it is retired, or not found.
    await lockAccount(session, account);
    const retired = await oldAssets(session, context)
      .select(['id', 'size_bytes'])
      .where('account_id', '=', account)
      .execute();
    for (const { id } of retired) {
      await session.updateTable('assets').set({ deleted_at: context.now() }).where('id', '=', id).execute();
      await forgetUpload(session, account, id, context.now());
    }
    await changeStoredBytes(session, account, -retired.reduce((sum, { size_bytes }) => sum + size_bytes, 0));
  });
}

function oldAssets(session: Session, { settings, now }: ServiceContext) {
  const unused = now() - unusedAssetMs;
  const old = now() - settings.retentionDays * dayMs;
  return session
    .selectFrom('assets')
    .where('deleted_at', 'is', null)
    .where(({ eb, or, and }) =>
      or([and([eb('used_at', 'is', null), eb('created_at', '<=', unused)]), eb('used_at', '<', old)]),
    )
    .where(isNotNeeded);
}

/** No queued or running render needs the asset. */
function isNotNeeded({ not, exists, selectFrom }: ExpressionBuilder<Tables, 'assets'>) {
  return not(
    exists(
      selectFrom('renders')
        .select('renders.id')
        .whereRef('renders.asset_id', '=', 'assets.id')
        .where('renders.status', 'in', ['queued', 'rendering'])
        .where('renders.deleted_at', 'is', null),
    ),
  );
}

/** Deletes the files of retired assets. The rows stay, because renders refer to them. */
async function deleteAssets(context: ServiceContext): Promise<void> {
  const { database, objects, now } = context;
  const fetch = (afterId: string) =>
    database
      .selectFrom('assets')
      .select(['id', 'object_key'])
      .where('id', '>', afterId)
      .where('deleted_at', '<', now() - graceMs)
      .where('object_key', '!=', '')
      .where(isNotNeeded)
      .orderBy('id')
      .limit(batchSize)
      .execute();
  await forEachRow(context, fetch, async ({ id, object_key }) => {
    await objects.delete(object_key);
    await database.updateTable('assets').set({ object_key: '' }).where('id', '=', id).execute();
  });
}

/**
 * Deletes the files and keeps the row with its cost. Of a render that its owner deleted, everything they wrote is
 * deleted.
 */
async function deleteResults(context: ServiceContext): Promise<void> {
  const { database, settings, now } = context;
  const fetch = (afterId: string) =>
    database
      .selectFrom('renders')
      .select(['id', 'account_id', 'video_key', 'video_bytes', 'thumbnail_key', 'deleted_at'])
      .where('id', '>', afterId)
      .where('status', 'in', ['completed', 'failed'])
      .where(({ eb, or, and }) =>
        or([
          and([
            eb('completed_at', '<', now() - settings.retentionDays * dayMs),
            or([eb('video_key', 'is not', null), eb('thumbnail_key', 'is not', null)]),
          ]),
          and([
            eb('deleted_at', '<', now() - graceMs),
            or([eb('video_key', 'is not', null), eb('thumbnail_key', 'is not', null), eb('variables', '!=', '{}')]),
          ]),
        ]),
      )
      .orderBy('id')
      .limit(batchSize)
      .execute();
  await forEachRow(context, fetch, (render) => deleteResult(context, render));
}

type OldRender = Pick<RenderRow, 'id' | 'account_id' | 'video_key' | 'video_bytes' | 'thumbnail_key' | 'deleted_at'>;

async function deleteResult({ database, objects }: ServiceContext, render: OldRender): Promise<void> {
  const { id, account_id, video_key, video_bytes, thumbnail_key, deleted_at } = render;
  for (const key of [video_key, thumbnail_key]) if (key !== null) await objects.delete(key);
  const files = { video_key: null, thumbnail_key: null };
  await database.transaction().execute(async (session) => {
    // The bytes of a deleted render are already subtracted, and so are those that another instance deletes now.
    const { numUpdatedRows } = await session
      .updateTable('renders')
      .set(files)
      .where('id', '=', id)
      .where('video_key', 'is not', null)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 1n) await changeStoredBytes(session, account_id, -(video_bytes ?? 0));
    const written = { title: null, callback_id: null, project_url: null, variables: '{}', warnings: null };
    await session
      .updateTable('renders')
      .set({ ...files, ...(deleted_at === null ? {} : written) })
      .where('id', '=', id)
      .execute();
  });
}

/** Segments of renders that were deleted while they were queued, or whose service was killed when they ended. */
async function deleteLeftSegments(context: ServiceContext): Promise<void> {
  const fetch = (afterId: string) =>
    context.database
      .selectFrom('renders')
      .select(['id', 'segments'])
      .where('id', '>', afterId)
      .where('status', 'in', ['completed', 'failed'])
      .where('segments', 'is not', null)
      .orderBy('id')
      .limit(batchSize)
      .execute();
  await forEachRow(context, fetch, (render) => deleteSegments(context, render));
}

/** Longer than any limit looks back. */
const limitMemoryMs = 60 * 60 * 1000;

async function deleteRecords(context: ServiceContext): Promise<void> {
  const { database, settings, now } = context;
  const time = now();
  const old = time - settings.retentionDays * dayMs;
  const queries = {
    'idempotency keys': database.deleteFrom('idempotency').where('created_at', '<=', time - idempotencyMs),
    sessions: database.deleteFrom('sessions').where('expires_at', '<=', time),
    tokens: database.deleteFrom('oauth_records').where('expires_at', '<=', time),
    'mail links': database.deleteFrom('mail_tokens').where('expires_at', '<=', time),
    limits: database.deleteFrom('limit_counts').where('last_at', '<', time - limitMemoryMs),
    'audit log': database.deleteFrom('audit_events').where('at', '<', old),
  };
  for (const [what, query] of Object.entries(queries)) await attempt(context, what, () => query.execute());
}

/**
 * Deletes webhooks that were delivered or given up, with their attempts. Their renders have ended, so no new ones
 * follow.
 */
async function deleteDeliveries({ database, settings, now }: ServiceContext): Promise<void> {
  for (let isFull = true; isFull; ) {
    const old = await database
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('created_at', '<', now() - settings.retentionDays * dayMs)
      .where('status', '!=', 'pending')
      .limit(batchSize)
      .execute();
    if (old.length === 0) return;
    const ids = old.map(({ id }) => id);
    await database.transaction().execute(async (session) => {
      await session.deleteFrom('webhook_attempts').where('delivery_id', 'in', ids).execute();
      await session.deleteFrom('webhook_deliveries').where('id', 'in', ids).execute();
    });
    isFull = old.length === batchSize;
  }
}

/** Deletes partial files that a killed process left behind. */
async function deleteTempFiles(context: ServiceContext): Promise<void> {
  const { settings, now } = context;
  const objects = join(settings.dataDir, 'objects');
  const folders = (await readdir(objects).catch(() => [])).map((name) => join(objects, name));
  for (const folder of [uploadsFolder(settings.dataDir), ...folders]) {
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name);
      if (folder.startsWith(objects) && !isTempObject(name)) continue;
      const stats = await statIfExists(path);
      if (stats && now() - stats.mtimeMs > dayMs) await attempt(context, path, () => rm(path, { force: true }));
    }
  }
}
