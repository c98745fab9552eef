// The object store in a bucket, on a real S3 server.
import { Readable } from 'node:stream';
import { CreateBucketCommand, ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { OpenAPIHono } from '@hono/zod-openapi';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { errorHandler } from '../../../../cloud/service/api/middleware.ts';
import type { ServiceApp, ServiceEnv } from '../../../../cloud/service/api/requestEnv.ts';
import { openObjects } from '../../../../cloud/service/storage/openObjects.ts';
import { openS3Objects, type S3Settings } from '../../../../cloud/service/storage/s3Objects.ts';
import { type CephAccount, cephMissing } from '../../../support/servers/ceph.ts';
import { openCeph } from '../../../support/servers/sharedCeph.ts';
import { objectStoreCases, type StoreUnderTest } from '../../../support/service/objectStoreCases.ts';

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

  test('serves files at URLs of the service, which redirect to the bucket until they are withdrawn', async () => {
    let isReadable = true;
    const publicUrl = 'https://render.example.com';
    const location = { objects: settings, dataDir: '', publicUrl };
    const signing = { urlKey: Buffer.alloc(32, 7), now: Date.now, env, mayRead: async () => isReadable };
    const { objects, mount } = await openObjects(location, signing);
    const app: ServiceApp = new OpenAPIHono<ServiceEnv>();
    app.onError(errorHandler(() => undefined));
    mount(app);
    await objects.put('videos/rnd_1.mp4', Readable.from([Buffer.from('0123456789')]), { contentType: 'video/mp4' });
    const label = { filename: 'film.mp4', contentType: 'video/mp4' };
    const url = await objects.signedUrl('videos/rnd_1.mp4', { expiresAt: Date.now() + 3_600_000, ...label });
    expect(url.startsWith(`${publicUrl}/files/videos/rnd_1.mp4?`)).toBe(true);
    const redirected = await app.request(url);
    const target = redirected.headers.get('location') ?? '';
    expect([redirected.status, new URL(target).origin]).toEqual([302, objects.origin]);
    expect(new URL(target).searchParams.get('X-Amz-Expires')).toBeOneOf(['60', '61']);
    const part = await fetch(target, { headers: { range: 'bytes=3-5' } });
    expect([part.status, await part.text(), part.headers.get('content-type')]).toEqual([206, '345', 'video/mp4']);
    const head = await app.request(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '10']);
    isReadable = false;
    expect((await app.request(url)).status).toBe(403);
    expect((await app.request(url.replace('rnd_1', 'rnd_2'))).status).toBe(403);
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
