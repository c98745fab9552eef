// Sends a project's archive: multipart/form-data with one part, streamed, of known length, and the same again for a replay.
import { Readable } from 'node:stream';
import { UserError } from '../errors.ts';
import type { ProjectArchive } from '../project/zip.ts';
import type { ApiClient } from './apiClient.ts';
import type { Asset, Single } from './apiTypes.ts';

export type UploadOptions = {
  idempotencyKey: string;
  signal?: AbortSignal | undefined;
  /** Bytes of the archive that were handed over; begins again when the request is replayed. */
  onBytes?: (done: number) => void;
};

/** Throws UserError: `project_changed`, the API's codes, `service_answer_invalid` when something else arrived. */
export async function uploadArchive(
  client: ApiClient,
  archive: ProjectArchive,
  { idempotencyKey, signal, onBytes }: UploadOptions,
): Promise<Asset> {
  // The same for the same archive: a request that is sent again has the same bytes, or it would be another request.
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
  let fault: unknown;
  async function* body(): AsyncGenerator<Buffer> {
    let done = 0;
    yield head;
    try {
      for await (const chunk of archive.open()) {
        done += chunk.length;
        onBytes?.(done);
        yield chunk;
      }
    } catch (error) {
      // To the connection it is only a body that broke off.
      fault = error;
      throw error;
    }
    yield tail;
  }
  try {
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
  } catch (error) {
    throw fault ?? error;
  }
}

function checkAsset(asset: Asset | undefined, archive: ProjectArchive): Asset {
  if (typeof asset?.asset_id !== 'string' || asset.asset_id === '') {
    throw new UserError('service_answer_invalid', 'The service took the project and gave no asset_id for it', {
      hint: 'Try again; if it stays so, tell whoever runs the service.',
    });
  }
  const isDamaged = typeof asset.sha256 === 'string' && asset.sha256.toLowerCase() !== archive.sha256;
  if (!isDamaged) return asset;
  throw new UserError(
    'service_answer_invalid',
    `The service received another archive than was sent (${asset.asset_id})`,
    {
      hint: 'Try again: something on the way changed it.',
    },
  );
}
