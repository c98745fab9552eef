// Deleting the results bucket, on a real S3 server: more objects than one page, and objects that workers write meanwhile.
import { CreateBucketCommand, HeadBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bucketContent, deleteBucket } from '../../../serverless/deploy/deleteBucket.ts';
import { type CephAccount, cephMissing } from '../../support/servers/ceph.ts';
import { openCeph } from '../../support/servers/sharedCeph.ts';

const missing = cephMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

describe.skipIf(missing !== undefined)('the results bucket', () => {
  let ceph: CephAccount;
  let s3: S3Client;
  beforeAll(async () => {
    ceph = await openCeph();
    const { endpoint, accessKeyId, secretAccessKey } = ceph;
    const credentials = { accessKeyId, secretAccessKey };
    s3 = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
  });
  afterAll(async () => {
    s3?.destroy();
  });

  const put = (Bucket: string, Key: string) => s3.send(new PutObjectCommand({ Bucket, Key, Body: 'abc' }));

  async function create(Bucket: string, objects: number): Promise<void> {
    await s3.send(new CreateBucketCommand({ Bucket }));
    const limit = pLimit(16);
    await Promise.all(Array.from({ length: objects }, (_, index) => limit(() => put(Bucket, `renders/${index}.mp4`))));
  }

  const expectGone = (Bucket: string) =>
    expect(s3.send(new HeadBucketCommand({ Bucket }))).rejects.toMatchObject({ name: 'NotFound' });

  test('is deleted with more objects than one page has', async () => {
    await create('large', 1001);
    expect(await bucketContent(s3, 'large')).toEqual({ objects: 1001, bytes: 3003 });
    const reported: number[] = [];
    await deleteBucket(s3, 'large', (objects) => reported.push(objects));
    expect(reported).toEqual([1000, 1001]);
    await expectGone('large');
  });

  test('is emptied again if a worker writes an object meanwhile', async () => {
    await create('busy', 2);
    // The first deletion is reported before the bucket itself is deleted.
    let late: Promise<unknown> | undefined;
    const send = s3.send.bind(s3);
    const slow = Object.create(s3, {
      send: {
        async value(command: Parameters<typeof send>[0]) {
          const isFirst = command.constructor.name === 'DeleteBucketCommand' && late === undefined;
          if (isFirst) late = put('busy', 'intermediate/late.json');
          if (isFirst) await late;
          return send(command);
        },
      },
    }) as S3Client;
    const reported: number[] = [];
    await deleteBucket(slow, 'busy', (objects) => reported.push(objects));
    expect(reported).toEqual([2, 3]);
    await expectGone('busy');
  });
});
