// Reads and writes objects of an S3 bucket.
import { setMaxListeners } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { ListedObject, Parts, Store } from './store.ts';

export type Bucket = Store & {
  name: string;
  /** Deleting an object that does not exist is not an error. */
  remove(key: string): Promise<void>;
  /** A URL that downloads the object for this time, without credentials. */
  signedUrl(key: string, seconds: number): Promise<string>;
};

/** `prefix`: the beginning of all keys, which callers leave out. */
export function openBucket(s3: S3Client, name: string, signal?: AbortSignal, prefix = ''): Bucket {
  const at = (key: string) => ({ Bucket: name, Key: prefix + key });
  const abort = signal === undefined ? {} : { abortSignal: signal };
  // Each concurrent request listens; Node warns about more than ten.
  if (signal) setMaxListeners(0, signal);
  return {
    name,
    size: (key) =>
      orUndefined(async () => {
        const { ContentLength = 0 } = await s3.send(new HeadObjectCommand(at(key)), abort);
        return ContentLength;
      }),
    getJson: <T>(key: string) =>
      orUndefined(async () => {
        const { Body } = await s3.send(new GetObjectCommand(at(key)), abort);
        return JSON.parse((await Body?.transformToString()) ?? 'null') as T;
      }),
    async putJson(key, value) {
      const Body = JSON.stringify(value);
      await s3.send(new PutObjectCommand({ ...at(key), Body, ContentType: 'application/json' }), abort);
    },
    put: (key, bytes, contentType) => send(s3, { ...at(key), Body: bytes, ContentType: contentType }, signal),
    startParts: (key, contentType) => startParts(s3, { ...at(key), ContentType: contentType }, signal),
    async list(start, { deep } = { deep: true }) {
      const found: ListedObject[] = [];
      let token: string | undefined;
      do {
        const page: ListObjectsV2CommandOutput = await s3.send(
          new ListObjectsV2Command({
            Bucket: name,
            Prefix: prefix + start,
            ...(deep ? {} : { Delimiter: '/' }),
            ...(token ? { ContinuationToken: token } : {}),
          }),
          abort,
        );
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? [])
          found.push({ key: Key.slice(prefix.length), bytes: Size, modifiedAt: LastModified });
        token = page.NextContinuationToken;
      } while (token !== undefined);
      return found;
    },
    upload: (key, path, contentType) =>
      send(s3, { ...at(key), Body: createReadStream(path), ContentType: contentType }, signal),
    async download(key, path) {
      const { Body } = await s3.send(new GetObjectCommand(at(key)), abort);
      await mkdir(dirname(path), { recursive: true });
      const temporary = `${path}.${process.pid}.partial`;
      try {
        await pipeline(Body as Readable, createWriteStream(temporary), ...(signal ? [{ signal }] : []));
        await rename(temporary, path);
      } finally {
        await rm(temporary, { force: true });
      }
    },
    async remove(key) {
      await s3.send(new DeleteObjectCommand(at(key)), abort);
    },
    signedUrl: (key, seconds) => getSignedUrl(s3, new GetObjectCommand(at(key)), { expiresIn: seconds }),
  };
}

/** Large objects are sent in parallel parts. */
async function send(s3: S3Client, params: PutObjectCommandInput, signal?: AbortSignal): Promise<void> {
  const upload = new Upload({ client: s3, params });
  const stop = () => void upload.abort();
  signal?.addEventListener('abort', stop, { once: true });
  await upload.done().finally(() => signal?.removeEventListener('abort', stop));
}

async function startParts(
  s3: S3Client,
  { ContentType, ...at }: { Bucket: string; Key: string; ContentType: string },
  signal?: AbortSignal,
): Promise<Parts> {
  const abort = signal === undefined ? {} : { abortSignal: signal };
  const create = new CreateMultipartUploadCommand({ ...at, ContentType, ChecksumAlgorithm: 'CRC32' });
  const { UploadId } = await s3.send(create, abort);
  const parts = new Map<number, CompletedPart>();
  return {
    async send(PartNumber, Body) {
      const part = new UploadPartCommand({ ...at, UploadId, PartNumber, Body, ChecksumAlgorithm: 'CRC32' });
      const { ETag, ChecksumCRC32 } = await s3.send(part, abort);
      parts.set(PartNumber, { PartNumber, ETag, ChecksumCRC32 });
    },
    async complete(last) {
      const Parts = Array.from({ length: last }, (_, index) => parts.get(index + 1) ?? {});
      await s3.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } }), abort);
    },
    // Also after the signal was aborted.
    abort: async () => void (await s3.send(new AbortMultipartUploadCommand({ ...at, UploadId }))),
  };
}

async function orUndefined<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
    // A missing bucket is an error. The response to a HEAD request does not distinguish it from a missing key.
    if (name === 'NoSuchBucket') throw error;
    if (name === 'NoSuchKey' || name === 'NotFound' || $metadata?.httpStatusCode === 404) return undefined;
    throw error;
  }
}
