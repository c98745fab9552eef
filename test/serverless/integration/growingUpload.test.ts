// Sends a growing file to a real S3 server.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateBucketCommand, GetObjectCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { VideoBytes } from '../../../renderer-core/media/indexFirst.ts';
import { type Bucket, openBucket } from '../../../serverless/bucket.ts';
import { uploadWhileWritten } from '../../../serverless/steps/growingUpload.ts';
import { temporaryFolder } from '../../support/project.ts';
import { type CephAccount, cephMissing } from '../../support/servers/ceph.ts';
import { openCeph } from '../../support/servers/sharedCeph.ts';

const missing = cephMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

const mib = 1024 * 1024;
const finalFrom = 6 * mib;

describe.skipIf(missing !== undefined)('a video that is sent while it is written', () => {
  let ceph: CephAccount;
  let s3: S3Client;
  let bucket: Bucket;
  beforeAll(async () => {
    ceph = await openCeph();
    const { endpoint, accessKeyId, secretAccessKey } = ceph;
    const credentials = { accessKeyId, secretAccessKey };
    s3 = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
    await s3.send(new CreateBucketCommand({ Bucket: 'results' }));
    bucket = openBucket(s3, 'results');
  });
  afterAll(async () => {
    s3?.destroy();
  });

  async function content(key: string): Promise<{ type: string | undefined; bytes: Buffer }> {
    const { Body, ContentType } = await s3.send(new GetObjectCommand({ Bucket: 'results', Key: key }));
    return { type: ContentType, bytes: Buffer.from((await Body?.transformToByteArray()) ?? []) };
  }

  /** A file of 44 MiB, each with another byte, whose last 5 MiB are an index. */
  function send(key: string, written: Promise<VideoBytes>): { file: Buffer; uploaded: Promise<number> } {
    const file = Buffer.concat(Array.from({ length: 44 }, (_, index) => Buffer.alloc(mib, index)));
    const path = join(temporaryFolder(), 'video');
    writeFileSync(path, file);
    return { file, uploaded: uploadWhileWritten(bucket, key, 'video/mp4', { path, finalFrom, written }) };
  }

  test('has the index in front', async () => {
    const head = Buffer.alloc(6 * mib, 99);
    const { file, uploaded } = send('a.mp4', Promise.resolve({ head, start: mib, end: 39 * mib }));
    expect(await uploaded).toBe(44 * mib);
    const { type, bytes } = await content('a.mp4');
    expect(type).toBe('video/mp4');
    expect(bytes.equals(Buffer.concat([head, file.subarray(mib, 39 * mib)]))).toBe(true);
  });

  test('leaves an earlier one and no parts when it fails', async () => {
    await bucket.put('b.mp4', Buffer.from('earlier'), 'video/mp4');
    const { uploaded } = send(
      'b.mp4',
      startedUpload(s3).then(() => Promise.reject(new Error('the disk is full'))),
    );
    await expect(uploaded).rejects.toThrow('the disk is full');
    expect(String((await content('b.mp4')).bytes)).toBe('earlier');
    expect(await uploads(s3)).toEqual([]);
  });
});

const uploads = async (s3: S3Client) =>
  (await s3.send(new ListMultipartUploadsCommand({ Bucket: 'results' }))).Uploads ?? [];

async function startedUpload(s3: S3Client): Promise<void> {
  while ((await uploads(s3)).length === 0);
}
