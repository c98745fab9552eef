// The object store in a bucket: against a real S3 server.
import { CreateBucketCommand, ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openS3Objects, type S3Settings } from '../../renderer-core/service/s3Objects.ts';
import { type Ceph, cephMissing, startCeph } from '../support/ceph.ts';
import { objectStoreCases, type StoreUnderTest } from '../support/objectStoreCases.ts';

const missing = cephMissing();

describe.skipIf(missing !== undefined)(`files in a bucket${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let ceph: Ceph;
  let client: S3Client;
  let settings: S3Settings;
  let opened: StoreUnderTest;

  beforeAll(async () => {
    ceph = await startCeph();
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
    const store = await openS3Objects(settings, Date.now);
    opened = { store, now: Date.now, read: fetch, leftovers };
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    client?.destroy();
    await ceph?.stop();
  });

  /** Parts that nobody completes take room, too, and are in no list of objects. */
  async function leftovers(): Promise<string[]> {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: settings.bucket }));
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: settings.bucket }));
    return [...Contents.map(({ Key }) => `${Key}`), ...Uploads.map(({ Key, UploadId }) => `${Key} ${UploadId}`)].sort();
  }

  objectStoreCases(() => opened);

  test('keys begin with the prefix', async () => {
    expect((await leftovers()).filter((key) => !key.startsWith('team/'))).toEqual([]);
    expect(await leftovers()).toContain('team/videos/size1.mp4');
  });

  test('a signed URL holds for exactly as long as it is asked to', async () => {
    const at = 1_800_000_000_400;
    const store = await openS3Objects(settings, () => at);
    const holdsFor = async (expiresAt: number) => {
      const url = await store.signedUrl('a/b.mp4', { expiresAt, filename: 'b.mp4', contentType: 'video/mp4' });
      const query = new URL(url).searchParams;
      return [query.get('X-Amz-Date'), query.get('X-Amz-Expires')];
    };
    expect(await holdsFor(1_800_003_600_000)).toEqual(['20270115T080000Z', '3600']);
    expect(await holdsFor(1_900_000_000_000)).toEqual(['20270115T080000Z', '604800']);
  });

  test('after that it opens nothing', async () => {
    const { store } = opened;
    const past = await openS3Objects(settings, () => Date.now() - 120_000);
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

  test('a bucket that is not there is told at the start', async () => {
    await expect(openS3Objects({ ...settings, bucket: 'elsewhere' }, Date.now)).rejects.toMatchObject({
      code: 'config_invalid',
      message: 'Files cannot be kept in the bucket "elsewhere": there is none of that name',
    });
  });

  test('so are credentials that do not fit', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wrong');
    await expect(openS3Objects(settings, Date.now)).rejects.toThrow('these credentials may not use it');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', ceph.secretAccessKey);
  });
});
