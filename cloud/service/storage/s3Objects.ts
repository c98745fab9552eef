// The object store on S3, or on whatever speaks its language.
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
import { UserError } from '../errors.ts';
import type { ObjectStore } from './objects.ts';
import type { ServiceSettings } from './settings.ts';

export type S3Settings = Extract<ServiceSettings['objects'], { kind: 's3' }>;

/** Memory for one upload is twice this; a file may have 10,000 parts. */
const partBytes = 8 * 1024 * 1024;
/** What S3 allows for a signed URL. */
const longestUrlSeconds = 7 * 24 * 60 * 60;

/** `now`: unix milliseconds. Throws UserError `config_invalid` when the bucket cannot be used. */
export async function openS3Objects(settings: S3Settings, now: () => number): Promise<ObjectStore> {
  // It speaks of versions to come, in the middle of a log that programs read.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const client = s3Client(settings);
  await checkBucket(client, settings);
  const place = (key: string) => ({ Bucket: settings.bucket, Key: settings.prefix + key });
  return {
    put: (key, body, { contentType, signal }) =>
      put(client, { ...place(key), ContentType: contentType, Body: body }, signal),
    async get(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const found = await ifThere(client.send(new GetObjectCommand({ ...place(key), ...(Range ? { Range } : {}) })));
      return found && { body: found.Body as Readable, size: totalSize(found) };
    },
    size: async (key) => (await ifThere(client.send(new HeadObjectCommand(place(key)))))?.ContentLength,
    async delete(key) {
      await client.send(new DeleteObjectCommand(place(key)));
    },
    signedUrl(key, { expiresAt, filename, contentType }) {
      // The URL's own date has whole seconds: what it holds for is counted from there.
      const from = Math.floor(now() / 1000);
      const seconds = Math.min(Math.max(Math.ceil(expiresAt / 1000) - from, 1), longestUrlSeconds);
      const command = new GetObjectCommand({
        ...place(key),
        ResponseContentType: contentType,
        ResponseContentDisposition: `inline; filename="${filename.replaceAll(/[^\w.-]/g, '_')}"`,
      });
      return getSignedUrl(client, command, { expiresIn: seconds, signingDate: new Date(from * 1000) });
    },
  };
}

function s3Client({ endpoint, pathStyle }: S3Settings): S3Client {
  return new S3Client({
    forcePathStyle: pathStyle,
    ...(endpoint === undefined ? {} : { endpoint, ...compatible() }),
    // A connection that hangs must not hold a request or a worker for ever.
    requestHandler: { connectionTimeout: 10_000, requestTimeout: 120_000 },
  });
}

/** Servers other than Amazon's know the newer checksums or do not; and their regions mean nothing. */
function compatible() {
  return {
    region: process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION ?? 'us-east-1',
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  } as const;
}

/** A wrong name, key or region is told at the start, not by the first upload. */
async function checkBucket(client: S3Client, { bucket, endpoint }: S3Settings): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
  } catch (error) {
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    const reasons: Record<number, string> = {
      403: 'these credentials may not use it',
      404: 'there is none of that name',
    };
    const { name, message, code } = error as NodeJS.ErrnoException;
    const reason = reasons[status ?? 0] ?? (message || code || name);
    throw new UserError('config_invalid', `Files cannot be kept in the bucket "${bucket}": ${reason}`, {
      hint: `Check SERVICE_S3_BUCKET, AWS_REGION${endpoint === undefined ? '' : ', SERVICE_S3_ENDPOINT'} and the credentials.`,
      cause: error,
    });
  }
}

type PutParameters = { Bucket: string; Key: string; ContentType: string; Body: Readable };

/**
 * A body that breaks off, or `signal`, ends the upload: its parts are deleted before this fails. Nothing is under the key
 * until all of it is there.
 */
async function put(client: S3Client, params: PutParameters, signal: AbortSignal | undefined): Promise<number> {
  let size = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      done(null, chunk);
    },
  });
  // The library's own way to abort fails at once and deletes the parts when it comes to it; a broken body is waited for.
  const flow = pipeline(params.Body, counted, signal ? { signal } : {});
  const upload = new Upload({ client, params: { ...params, Body: counted }, partSize: partBytes, queueSize: 2 });
  const [flowed, uploaded] = await Promise.allSettled([flow, upload.done()]);
  // Where the store failed, the body was broken off for that.
  if (uploaded.status === 'rejected' && !counted.errored) throw uploaded.reason;
  if (flowed.status === 'rejected') throw flowed.reason;
  if (uploaded.status === 'rejected') throw uploaded.reason;
  return size;
}

/** Of the whole object, where a part of it was asked for. */
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

async function ifThere<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket')
      return undefined;
    throw error;
  }
}
