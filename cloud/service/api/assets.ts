// Uploaded projects. An archive is looked at on this machine before it is kept, and is there whole or not at all.
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Asset } from '../cloud/apiTypes.ts';
import { ApiError } from './apiErrors.ts';
import type { ServiceContext } from './context.ts';
import { once } from './idempotency.ts';
import { newId } from './ids.ts';
import { receiveFile, type Upload } from './upload.ts';

export type AssetRequest = {
  accountId: string;
  key: string | undefined;
  headers: { contentType: string | undefined; contentLength: string | undefined };
  body: Readable;
};

/** Refuses an archive on disk that must not be unpacked, with ApiError `framework_project_invalid`. */
export type ArchiveCheck = (file: string) => Promise<void>;

const endpoint = 'POST /v3/assets';

/** Where uploads are until they are whole; nothing else is in it. */
export const uploadsFolder = (dataDir: string): string => join(dataDir, 'uploads');

/** Throws ApiError, the codes of an archive and those of an idempotency key. */
export async function createAsset(
  context: ServiceContext,
  request: AssetRequest,
  checkArchive: ArchiveCheck = async () => undefined,
): Promise<{ answer: Asset; replayed: boolean }> {
  const id = newId('ast');
  const folder = uploadsFolder(context.settings.dataDir);
  const path = join(folder, id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const upload = await receiveFile(request.body, request.headers, path);
    await checkArchive(path);
    return await keep(context, request, { id, path, upload });
  } finally {
    await rm(path, { force: true });
  }
}

async function keep(
  context: ServiceContext,
  { accountId, key }: AssetRequest,
  { id, path, upload }: { id: string; path: string; upload: Upload },
): Promise<{ answer: Asset; replayed: boolean }> {
  const { database, objects, now } = context;
  const objectKey = `assets/${id}.zip`;
  // The row comes first, as deleted: should this process die, retention finds by it what lies in the store.
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
  let isKept = false;
  try {
    await objects.put(objectKey, createReadStream(path), { contentType: 'application/zip' });
    const result = await database.transaction().execute((session) =>
      once(session, { accountId, endpoint, key, hash: upload.sha256 }, now(), async () => {
        const { numUpdatedRows } = await session
          .updateTable('assets')
          .set({ deleted_at: null })
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows !== 1n) throw new ApiError('internal_error', 'The upload took too long. Send it again.');
        return { asset_id: id, size_bytes: upload.size, sha256: upload.sha256 };
      }),
    );
    isKept = !result.replayed;
    return result;
  } finally {
    if (!isKept) {
      await objects.delete(objectKey);
      await database.deleteFrom('assets').where('id', '=', id).execute();
    }
  }
}
