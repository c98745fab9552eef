// Deletes data that is no longer needed: old results and projects, files of deleted renders, and expired records.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { uploadsFolder } from '../api/assets.ts';
import { idempotencyMs } from '../api/idempotency.ts';
import type { ServiceContext, ServicePart } from '../context.ts';
import { isTempObject } from './diskObjects.ts';

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

/** One round. Several instances may run it at once: every step can be repeated. */
export async function cleanUp(context: ServiceContext): Promise<void> {
  await retireAssets(context);
  await deleteAssets(context);
  await deleteResults(context);
  await deleteRecords(context);
  await deleteDeliveries(context);
  await deleteTempFiles(context);
}

/** Marks projects as deleted that no render has used within the retention time, except those of waiting renders. */
async function retireAssets({ database, settings, now }: ServiceContext): Promise<void> {
  const before = now() - settings.retentionDays * dayMs;
  await database
    .updateTable('assets')
    .set({ deleted_at: now() })
    .where('deleted_at', 'is', null)
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('renders')
            .select('renders.id')
            .whereRef('renders.asset_id', '=', 'assets.id')
            .where(({ eb, or }) =>
              or([eb('renders.created_at', '>=', before), eb('renders.status', 'in', ['queued', 'rendering'])]),
            )
            .where('renders.deleted_at', 'is', null),
        ),
      ),
    )
    .execute();
}

/**
 * A render request that used an asset while it was being retired is committed by the end of the grace period, and found
 * here.
 */
async function deleteAssets({ database, objects, now }: ServiceContext): Promise<void> {
  const assets = await database
    .selectFrom('assets')
    .select(['id', 'object_key'])
    .where('deleted_at', '<', now() - graceMs)
    .where('object_key', '!=', '')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('renders')
            .select('renders.id')
            .whereRef('renders.asset_id', '=', 'assets.id')
            .where('renders.status', 'in', ['queued', 'rendering'])
            .where('renders.deleted_at', 'is', null),
        ),
      ),
    )
    .limit(batchSize)
    .execute();
  for (const { id, object_key } of assets) {
    await objects.delete(object_key);
    // Renders still refer to the row.
    await database.updateTable('assets').set({ object_key: '' }).where('id', '=', id).execute();
  }
}

/**
 * Deletes the files and keeps the row with its cost. Of a render that its owner deleted, everything they wrote is
 * deleted.
 */
async function deleteResults({ database, objects, settings, now }: ServiceContext): Promise<void> {
  const renders = await database
    .selectFrom('renders')
    .select(['id', 'video_key', 'thumbnail_key', 'deleted_at'])
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
    .limit(batchSize)
    .execute();
  for (const { id, video_key, thumbnail_key, deleted_at } of renders) {
    for (const key of [video_key, thumbnail_key]) if (key !== null) await objects.delete(key);
    const written = { title: null, callback_id: null, project_url: null, variables: '{}', warnings: null };
    await database
      .updateTable('renders')
      .set({ video_key: null, thumbnail_key: null, ...(deleted_at === null ? {} : written) })
      .where('id', '=', id)
      .execute();
  }
}

async function deleteRecords({ database, now }: ServiceContext): Promise<void> {
  const time = now();
  await database
    .deleteFrom('idempotency')
    .where('created_at', '<=', time - idempotencyMs)
    .execute();
  await database.deleteFrom('sessions').where('expires_at', '<=', time).execute();
  await database.deleteFrom('oauth_records').where('expires_at', '<=', time).execute();
}

/**
 * Deletes webhooks that were delivered or given up, with their attempts. Their renders have ended, so no new ones
 * follow.
 */
async function deleteDeliveries({ database, settings, now }: ServiceContext): Promise<void> {
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
}

/** Deletes partial files that a killed process left behind. */
async function deleteTempFiles({ settings, now }: ServiceContext): Promise<void> {
  const objects = join(settings.dataDir, 'objects');
  const folders = (await readdir(objects).catch(() => [])).map((name) => join(objects, name));
  for (const folder of [uploadsFolder(settings.dataDir), ...folders]) {
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name);
      if (folder.startsWith(objects) && !isTempObject(name)) continue;
      const stats = await stat(path).catch(() => undefined);
      if (stats && now() - stats.mtimeMs > dayMs) await rm(path, { force: true });
    }
  }
}
