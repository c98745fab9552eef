// Uploaded projects. An archive is checked on this machine before it is stored.
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Asset } from '../../client/apiTypes.ts';
import type { ServiceContext } from '../context.ts';
import { changeStoredBytes, lockAccount, lockExistingAccount } from '../storage/accountTotals.ts';
import { newId } from '../storage/ids.ts';
import type { ProjectVariables } from '../storage/projectCheck.ts';
import type { Session } from '../storage/tables.ts';
import { ApiError } from './apiErrors.ts';
import { assetIdPattern } from './apiSchemas.ts';
import { forgetResults, wasDone, withIdempotencyKey } from './idempotency.ts';
import { releaseUpload, renewUpload, reservationMs, reserveUpload } from './quotas.ts';
import { receiveFile, type Upload, uploadBytes } from './receiveUpload.ts';

export type AssetRequest = {
  accountId: string;
  key: string | undefined;
  headers: { contentType: string | undefined; contentLength: string | undefined };
  body: Readable;
};

/**
 * Returns the variables of the project, if they are known. Throws ApiError `framework_project_invalid` for an archive that
 * must not be unpacked.
 */
export type ArchiveCheck = (file: string) => Promise<ProjectVariables | undefined>;

const endpoint = 'POST /v3/assets';

/** Contains only unfinished uploads. */
export const uploadsFolder = (dataDir: string): string => join(dataDir, 'uploads');

/** An asset that no render has used for this time cannot be used any more. */
export const unusedAssetMs = 24 * 60 * 60 * 1000;

/** Throws ApiError for an invalid archive, a conflicting idempotency key, a quota, or a full disk. */
export async function createAsset(
  context: ServiceContext,
  request: AssetRequest,
  checkArchive: ArchiveCheck = async () => undefined,
): Promise<{ result: Asset; replayed: boolean }> {
  const { accountId, key } = request;
  const id = newId('ast');
  const bytes = uploadBytes(request.headers);
  const isRepeated = await wasDone(context.database, { accountId, endpoint, key }, context.now());
  const folder = uploadsFolder(context.settings.dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await reserveUpload(context, { id, accountId, bytes, isRepeated });
  const path = join(folder, id);
  const stopRenewing = keepReserved(context, id);
  try {
    const upload = await receiveFile(request.body, request.headers, path, context.settings.uploadPace);
    const variables = await checkArchive(path);
    return await store(context, request, { id, path, upload, variables });
  } finally {
    await rm(path, { force: true });
    stopRenewing();
    await release(context, { id, accountId });
  }
}

/** Renews the reservation of an upload. If the database cannot be reached for long, the reservation expires. */
function keepReserved(context: ServiceContext, id: string): () => void {
  const timer = setInterval(() => {
    renewUpload(context, id).catch((error: unknown) =>
      context.log('warn', 'upload could not be renewed', { asset: id, error: String(error) }),
    );
  }, reservationMs / 4);
  timer.unref();
  return () => clearInterval(timer);
}

/** A failure must not hide the result of the upload: the reservation expires. */
async function release({ database, log }: ServiceContext, claim: { id: string; accountId: string }): Promise<void> {
  await database
    .transaction()
    .execute((session) => releaseUpload(session, claim))
    .catch((error: unknown) => log('warn', 'upload could not be released', { asset: claim.id, error: String(error) }));
}

async function store(
  context: ServiceContext,
  { accountId, key }: AssetRequest,
  {
    id,
    path,
    upload,
    variables,
  }: { id: string; path: string; upload: Upload; variables: ProjectVariables | undefined },
): Promise<{ result: Asset; replayed: boolean }> {
  const { database, objects, now } = context;
  const objectKey = `assets/${id}.zip`;
  // The row is written first, marked as deleted: if this process dies, retention finds and deletes the stored file.
  const row = {
    id,
    account_id: accountId,
    sha256: upload.sha256,
    size_bytes: upload.size,
    object_key: objectKey,
    created_at: now(),
    used_at: null,
    variables: storedVariables(variables),
    deleted_at: now(),
  };
  await database.transaction().execute(async (session) => {
    await lockExistingAccount(session, accountId);
    await session.insertInto('assets').values(row).execute();
  });
  let isStored = false;
  try {
    await objects.put(objectKey, createReadStream(path), { contentType: 'application/zip' });
    const result = await database.transaction().execute(async (session) => {
      await lockExistingAccount(session, accountId);
      return withIdempotencyKey(session, { accountId, endpoint, key, hash: upload.sha256 }, now(), async () => {
        await keepAsset(session, { id, accountId, bytes: upload.size });
        return { asset_id: id, size_bytes: upload.size, sha256: upload.sha256 };
      });
    });
    isStored = !result.replayed;
    return result;
  } finally {
    if (!isStored) {
      await objects.delete(objectKey);
      await database.deleteFrom('assets').where('id', '=', id).execute();
    }
  }
}

/** Projects with more declarations than this are only checked by the render. */
const maxVariablesLength = 256 * 1024;

function storedVariables(variables: ProjectVariables | undefined): string | null {
  // PostgreSQL cannot store this character.
  const json = JSON.stringify(variables ?? null);
  return json === 'null' || json.length > maxVariablesLength || json.includes('\\u0000') ? null : json;
}

/** From now on, the asset itself counts in the account's quota instead of its upload. */
async function keepAsset(
  session: Session,
  { id, accountId, bytes }: { id: string; accountId: string; bytes: number },
): Promise<void> {
  await releaseUpload(session, { id, accountId });
  const { numUpdatedRows } = await session
    .updateTable('assets')
    .set({ deleted_at: null })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n)
    throw new ApiError('internal_error', 'The upload took too long. Upload the project again.');
  await changeStoredBytes(session, accountId, bytes);
}

/**
 * Marks the asset as used by a render that is being submitted. Throws ApiError `invalid_parameter` if it does not exist, has
 * expired, or belongs to another account, which is reported in the same way.
 */
export async function useAsset(session: Session, accountId: string, id: string, now: number): Promise<void> {
  const found =
    assetIdPattern.test(id) &&
    (await session
      .updateTable('assets')
      .set({ used_at: now })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null)
      .where(({ eb, or }) => or([eb('used_at', 'is not', null), eb('created_at', '>', now - unusedAssetMs)]))
      .executeTakeFirstOrThrow());
  if (found && found.numUpdatedRows === 1n) return;
  const message = `Asset ${id} does not exist. Upload the project again with POST /v3/assets.`;
  throw new ApiError('invalid_parameter', message, { param: 'project.asset_id' });
}

/**
 * Deletes the asset with its file at once. Throws ApiError `asset_in_use` if a queued or running render needs it, and
 * `not_found` also for deleted assets and those of other accounts.
 */
export async function deleteAsset(context: ServiceContext, accountId: string, id: string): Promise<void> {
  const { database, objects, log, now } = context;
  const objectKey = assetIdPattern.test(id)
    ? await database.transaction().execute((session) => markDeleted(session, accountId, id, now()))
    : undefined;
  if (objectKey === undefined) throw new ApiError('not_found', `Asset ${id.slice(0, 100)} does not exist.`);
  try {
    await objects.delete(objectKey);
    await database.updateTable('assets').set({ object_key: '' }).where('id', '=', id).execute();
  } catch (error) {
    // Retention repeats it.
    log('warn', 'file of a deleted asset remains', { asset: id, error: String(error) });
  }
}

/** Must be called in the transaction that marks the asset as deleted. The upload can then be repeated with its key. */
export const forgetUpload = (session: Session, accountId: string, id: string, now: number): Promise<void> =>
  forgetResults(session, { accountId, endpoint }, `"asset_id":"${id}"`, now);

/** Returns the key of the file, or undefined if the account has no such asset. */
async function markDeleted(session: Session, accountId: string, id: string, now: number): Promise<string | undefined> {
  // Renders of the account are submitted with this lock, so none can start to need the asset meanwhile.
  await lockAccount(session, accountId);
  const asset = await session
    .selectFrom('assets')
    .select(['object_key', 'size_bytes'])
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!asset) return undefined;
  const render = await session
    .selectFrom('renders')
    .select('id')
    .where('asset_id', '=', id)
    .where('status', 'in', ['queued', 'rendering'])
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (render) {
    const message = `Asset ${id} is needed by the render ${render.id}. Wait until it has ended, or delete the render first.`;
    throw new ApiError('asset_in_use', message);
  }
  await session.updateTable('assets').set({ deleted_at: now }).where('id', '=', id).execute();
  await forgetUpload(session, accountId, id, now);
  await changeStoredBytes(session, accountId, -asset.size_bytes);
  return asset.object_key;
}
