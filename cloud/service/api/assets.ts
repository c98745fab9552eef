// Uploaded projects. An archive is checked on this machine before it is stored.
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Asset } from '../../client/apiTypes.ts';
import type { ServiceContext } from '../context.ts';
import { newId } from '../storage/ids.ts';
import { ApiError } from './apiErrors.ts';
import { withIdempotencyKey } from './idempotency.ts';
import { receiveFile, type Upload } from './receiveUpload.ts';

export type AssetRequest = {
  accountId: string;
  key: string | undefined;
  headers: { contentType: string | undefined; contentLength: string | undefined };
  body: Readable;
};

/** Throws ApiError `framework_project_invalid` for an archive that must not be unpacked. */
export type ArchiveCheck = (file: string) => Promise<void>;

const endpoint = 'POST /v3/assets';

/** Contains only unfinished uploads. */
export const uploadsFolder = (dataDir: string): string => join(dataDir, 'uploads');

/** Throws ApiError for an invalid archive or a conflicting idempotency key. */
export async function createAsset(
  context: ServiceContext,
  request: AssetRequest,
  checkArchive: ArchiveCheck = async () => undefined,
): Promise<{ result: Asset; replayed: boolean }> {
  const id = newId('ast');
  const folder = uploadsFolder(context.settings.dataDir);
  const path = join(folder, id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const upload = await receiveFile(request.body, request.headers, path);
    await checkArchive(path);
    return await store(context, request, { id, path, upload });
  } finally {
    await rm(path, { force: true });
  }
}

async function store(
  context: ServiceContext,
  { accountId, key }: AssetRequest,
  { id, path, upload }: { id: string; path: string; upload: Upload },
): Promise<{ result: Asset; replayed: boolean }> {
  const { database, objects, now } = context;
  const objectKey = `assets/${id}.zip`;
  // The row is written first, marked as deleted: if this process dies, retention finds and deletes the stored file.
  await database
    .insertInto('assets')
    .values({
      id,
      account_id: accountId,
      sha256: upload.sha256,
      size_bytes: upload.size,
      object_key: objectKey,
      created_at: now(),
      deleted_at: now(),
    })
    .execute();
  let isStored = false;
  try {
    await objects.put(objectKey, createReadStream(path), { contentType: 'application/zip' });
    const result = await database.transaction().execute((session) =>
      withIdempotencyKey(session, { accountId, endpoint, key, hash: upload.sha256 }, now(), async () => {
        const { numUpdatedRows } = await session
          .updateTable('assets')
          .set({ deleted_at: null })
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows !== 1n)
          throw new ApiError('internal_error', 'The upload took too long. Upload the project again.');
        return { asset_id: id, size_bytes: upload.size, sha256: upload.sha256 };
      }),
    );
    isStored = !result.replayed;
    return result;
  } finally {
    if (!isStored) {
      await objects.delete(objectKey);
      await database.deleteFrom('assets').where('id', '=', id).execute();
    }
  }
}
