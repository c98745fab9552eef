// The object store on Amazon S3 or a compatible server.
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { UserError } from '../../../renderer-core/errors.ts';
import type { ServiceSettings } from '../settings.ts';
import { disposition, type ObjectStore } from './objectStore.ts';

export type S3Settings = Extract<ServiceSettings['objects'], { kind: 's3' }>;

/** An upload needs twice this much memory. S3 allows 10,000 parts per file. */
const partBytes = 8 * 1024 * 1024;
/** The maximum of S3. */
const maxUrlSeconds = 7 * 24 * 60 * 60;

/** `now` returns Unix milliseconds. Throws UserError `config_invalid` if the bucket cannot be used. */
export async function openS3Objects(
  settings: S3Settings,
  { now, env }: { now: () => number; env: NodeJS.ProcessEnv },
): Promise<ObjectStore> {
  const client = s3Client(settings, env);
  await checkBucket(client, settings);
  const objectAt = (key: string) => ({ Bucket: settings.bucket, Key: settings.prefix + key });
  return {
    put: (key, body, { contentType, signal }) =>
      put(client, { ...objectAt(key), ContentType: contentType, Body: body }, signal),
    async get(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const found = await undefinedIfMissing(
        client.send(new GetObjectCommand({ ...objectAt(key), ...(Range ? { Range } : {}) })),
      );
      return found && { body: found.Body as Readable, size: totalSize(found) };
    },
    size: async (key) => (await undefinedIfMissing(client.send(new HeadObjectCommand(objectAt(key)))))?.ContentLength,
    async delete(key) {
      await client.send(new DeleteObjectCommand(objectAt(key)));
    },
    signedUrl(key, { expiresAt, filename, contentType }) {
      // Signed dates have whole seconds, so the expiry is counted from a whole second.
      const from = Math.floor(now() / 1000);
      const seconds = Math.min(Math.max(Math.ceil(expiresAt / 1000) - from, 1), maxUrlSeconds);
      const command = new GetObjectCommand({
        ...objectAt(key),
        ResponseContentType: contentType,
        ResponseContentDisposition: disposition(filename),
      });
      return getSignedUrl(client, command, { expiresIn: seconds, signingDate: new Date(from * 1000) });
    },
  };
}

function s3Client({ endpoint, pathStyle }: S3Settings, env: NodeJS.ProcessEnv): S3Client {
  return new S3Client({
    forcePathStyle: pathStyle,
    ...(endpoint === undefined ? {} : { endpoint, ...compatibility(env) }),
    // Without limits, a hanging connection would block a request or a worker forever.
    requestHandler: { connectionTimeout: 10_000, requestTimeout: 120_000 },
  });
}

/** Not every S3-compatible store supports the newer checksums, and most ignore the region. */
function compatibility(env: NodeJS.ProcessEnv) {
  return {
    region: env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? 'us-east-1',
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  } as const;
}

/** Reports a wrong bucket, key or region at the start instead of at the first upload. */
async function checkBucket(client: S3Client, { bucket, endpoint }: S3Settings): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
  } catch (error) {
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    const reasons: Record<number, string> = {
      403: 'the credentials do not allow access',
      404: 'it does not exist',
    };
    const { name, message, code } = error as NodeJS.ErrnoException;
    const reason = reasons[status ?? 0] ?? (message || code || name);
    throw new UserError('config_invalid', `The bucket "${bucket}" cannot be used: ${reason}`, {
      hint: `Check SERVICE_S3_BUCKET, AWS_REGION${endpoint === undefined ? '' : ', SERVICE_S3_ENDPOINT'} and the credentials.`,
      cause: error,
    });
  }
}

type PutParameters = { Bucket: string; Key: string; ContentType: string; Body: Readable };

/** Uploads atomically. If the body fails or `signal` aborts, the uploaded parts are deleted before this rejects. */
async function put(client: S3Client, params: PutParameters, signal: AbortSignal | undefined): Promise<number> {
  let size = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      done(null, chunk);
    },
  });
  // `Upload.abort()` rejects before the parts are deleted. Failing the body instead waits for that.
  const flow = pipeline(params.Body, counted, signal ? { signal } : {});
  const upload = new Upload({ client, params: { ...params, Body: counted }, partSize: partBytes, queueSize: 2 });
  const [flowed, uploaded] = await Promise.allSettled([flow, upload.done()]);
  // If the store failed, the body was only aborted because of it: report the store's error.
  if (uploaded.status === 'rejected' && !counted.errored) throw uploaded.reason;
  if (flowed.status === 'rejected') throw flowed.reason;
  if (uploaded.status === 'rejected') throw uploaded.reason;
  return size;
}

/** The size of the whole object, also for a range request. */
function totalSize({
  ContentRange,
  ContentLength,
}: {
  ContentRange?: string | undefined;
  ContentLength?: number | undefined;
}): number {
  const total = /\/(\d+)$/.exec(ContentRange ?? '')?.[1];
  return total === undefined ? (ContentLength ?? 0) : Number(total);
}

async function undefinedIfMissing<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket')
      return undefined;
    throw error;
  }
}
