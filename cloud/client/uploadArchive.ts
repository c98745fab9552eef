// Uploads the archive of a project: multipart/form-data with one part, streamed, with a known length.
import { Readable } from 'node:stream';
import { UserError } from '../../renderer-core/errors.ts';
import type { ProjectArchive } from '../../renderer-core/project/zip.ts';
import type { ApiClient } from './apiClient.ts';
import type { Asset, Single } from './apiTypes.ts';

export type UploadOptions = {
  idempotencyKey: string;
  signal?: AbortSignal | undefined;
  /** Number of bytes of the archive that were sent; starts again at 0 when the request is retried. */
  onBytes?: (done: number) => void;
};

/** Throws UserError with a code of the API, or `service_answer_invalid` when the service received other bytes. */
export async function uploadArchive(
  client: ApiClient,
  archive: ProjectArchive,
  { idempotencyKey, signal, onBytes }: UploadOptions,
): Promise<Asset> {
  // Derived from the archive: with the same idempotency key, the service refuses a request whose bytes differ.
  const boundary = `framework-${archive.sha256.slice(0, 32)}`;
  const head = Buffer.from(
    [
      `--${boundary}`,
      'Content-Disposition: form-data; name="file"; filename="project.zip"',
      'Content-Type: application/zip',
      '',
      '',
    ].join('\r\n'),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* body(): AsyncGenerator<Buffer> {
    let done = 0;
    yield head;
    for await (const chunk of archive.open()) {
      done += chunk.length;
      onBytes?.(done);
      yield chunk;
    }
    yield tail;
  }
  const { data } = await client.send<Single<Asset>>({
    method: 'POST',
    path: '/v3/assets',
    body: {
      contentType: `multipart/form-data; boundary=${boundary}`,
      length: head.length + archive.bytes + tail.length,
      open: () => Readable.from(body(), { objectMode: false }),
    },
    idempotencyKey,
    ...(signal ? { signal } : {}),
  });
  return checkAsset(data, archive);
}

function checkAsset(asset: Asset | undefined, archive: ProjectArchive): Asset {
  if (typeof asset?.asset_id !== 'string' || asset.asset_id === '') {
    throw new UserError('service_answer_invalid', 'The service accepted the project but returned no asset_id', {
      hint: 'Try again. If the error persists, contact the operator of the service.',
    });
  }
  const isDamaged = typeof asset.sha256 === 'string' && asset.sha256.toLowerCase() !== archive.sha256;
  if (!isDamaged) return asset;
  throw new UserError(
    'service_answer_invalid',
    `The archive was changed during the upload: its SHA-256 does not match (asset ${asset.asset_id})`,
    {
      hint: 'Try again. A proxy between this machine and the service may have changed it.',
    },
  );
}
