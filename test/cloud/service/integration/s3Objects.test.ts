// The object store in a bucket, on a real S3 server.
import { CreateBucketCommand, ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openS3Objects, type S3Settings } from '../../../../cloud/service/storage/s3Objects.ts';
import { type CephAccount, cephMissing } from '../../../support/ceph.ts';
import { objectStoreCases, type StoreUnderTest } from '../../../support/objectStoreCases.ts';
import { openCeph } from '../../../support/sharedCeph.ts';

const missing = cephMissing();
const { env } = process;

describe.skipIf(missing !== undefined)(`files in a bucket${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let ceph: CephAccount;
  let client: S3Client;
  let settings: S3Settings;
  let opened: StoreUnderTest;

  beforeAll(async () => {
    ceph = await openCeph();
    const { endpoint, accessKeyId, secretAccessKey } = ceph;
    vi.stubEnv('AWS_ACCESS_KEY_ID', accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', secretAccessKey);
    settings = { kind: 's3', bucket: 'renders', prefix: 'team/', endpoint, pathStyle: true };
    client = new S3Client({
      endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    });
    await client.send(new CreateBucketCommand({ Bucket: settings.bucket }));
    const store = await openS3Objects(settings, { now: Date.now, env });
    opened = { store, now: Date.now, read: fetch, leftovers };
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    client?.destroy();
  });

  /** Incomplete uploads take up space too, but are not in the list of objects. */
  async function leftovers(): Promise<string[]> {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: settings.bucket }));
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: settings.bucket }));
    return [...Contents.map(({ Key }) => `${Key}`), ...Uploads.map(({ Key, UploadId }) => `${Key} ${UploadId}`)].sort();
  }

  objectStoreCases(() => opened);

  test('prepends the prefix to keys', async () => {
    expect((await leftovers()).filter((key) => !key.startsWith('team/'))).toEqual([]);
    expect(await leftovers()).toContain('team/videos/size1.mp4');
  });

  test('signs a URL for exactly the requested time', async () => {
    const at = 1_800_000_000_400;
    const store = await openS3Objects(settings, { now: () => at, env });
    const holdsFor = async (expiresAt: number) => {
      const url = await store.signedUrl('a/b.mp4', { expiresAt, filename: 'b.mp4', contentType: 'video/mp4' });
      const query = new URL(url).searchParams;
      return [query.get('X-Amz-Date'), query.get('X-Amz-Expires')];
    };
    expect(await holdsFor(1_800_003_600_000)).toEqual(['20270115T080000Z', '3600']);
    expect(await holdsFor(1_900_000_000_000)).toEqual(['20270115T080000Z', '604800']);
  });

  test('rejects an expired URL', async () => {
    const { store } = opened;
    const past = await openS3Objects(settings, { now: () => Date.now() - 120_000, env });
    const options = { expiresAt: Date.now() - 60_000, filename: 'x.mp4', contentType: 'video/mp4' };
    const expired = await fetch(await past.signedUrl('videos/size1.mp4', options));
    expect(expired.status).toBe(403);
    await expired.body?.cancel();
    const fresh = await fetch(
      await store.signedUrl('videos/size1.mp4', { ...options, expiresAt: Date.now() + 60_000 }),
    );
    expect(fresh.status).toBe(200);
    await fresh.body?.cancel();
  });

  test('reports a missing bucket at the start', async () => {
    await expect(openS3Objects({ ...settings, bucket: 'elsewhere' }, { now: Date.now, env })).rejects.toMatchObject({
      code: 'config_invalid',
      message: 'The bucket "elsewhere" cannot be used: it does not exist',
    });
  });

  test('reports wrong credentials at the start', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wrong');
    await expect(openS3Objects(settings, { now: Date.now, env })).rejects.toThrow(
      'the credentials do not allow access',
    );
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', ceph.secretAccessKey);
  });
});
