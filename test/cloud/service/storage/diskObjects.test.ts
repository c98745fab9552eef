// The object store on disk: the requirements of every object store, and access over HTTP only with signed URLs.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { beforeEach, describe, expect, test } from 'vitest';
import { errorHandler } from '../../../../cloud/service/api/middleware.ts';
import type { ServiceEnv } from '../../../../cloud/service/api/requestEnv.ts';
import { createDiskObjects, type DiskObjects } from '../../../../cloud/service/storage/diskObjects.ts';
import { objectStoreCases, type StoreUnderTest } from '../../../support/service/objectStoreCases.ts';
import { testFolder } from '../../../support/service/service.ts';

const clock = { now: 1_800_000_000_000 };

async function openStore(): Promise<StoreUnderTest & { store: DiskObjects; folder: string }> {
  const folder = await testFolder();
  const publicUrl = 'https://render.example.com';
  const store = createDiskObjects({ folder, publicUrl, urlKey: Buffer.alloc(32, 7), now: () => clock.now });
  const app = new Hono<ServiceEnv>();
  app.onError(errorHandler(() => undefined));
  store.mount(app);
  return {
    store,
    folder,
    now: () => clock.now,
    read: async (url, init) => app.request(url, init),
    leftovers: async () => (await readdir(folder, { recursive: true })).filter((name) => name.includes('.')),
  };
}

describe('meets the requirements of every object store', () => {
  let opened: StoreUnderTest;
  beforeEach(async () => {
    opened = await openStore();
  });
  objectStoreCases(() => opened);
});

async function signed(content: string) {
  const opened = await openStore();
  const key = 'videos/rnd_1.mp4';
  await opened.store.put(key, Readable.from([Buffer.from(content)]), { contentType: 'video/mp4' });
  const options = { expiresAt: clock.now + 60_000, filename: 'film.mp4', contentType: 'video/mp4' };
  return { ...opened, url: await opened.store.signedUrl(key, options) };
}

test.each([
  ['bytes=0-3', 206, 'bytes 0-3/10', '0123'],
  ['bytes=8-', 206, 'bytes 8-9/10', '89'],
  ['bytes=-3', 206, 'bytes 7-9/10', '789'],
  ['bytes=5-99', 206, 'bytes 5-9/10', '56789'],
  ['bytes=10-', 416, 'bytes */10', ''],
  ['bytes=3-1', 200, null, '0123456789'],
  ['bytes=0-1,4-5', 200, null, '0123456789'],
  ['lines=0-1', 200, null, '0123456789'],
])('answers range %s', async (range, status, contentRange, text) => {
  const { url, read } = await signed('0123456789');
  const answer = await read(url, { headers: { range } });
  expect([answer.status, answer.headers.get('content-range'), await answer.text()]).toEqual([
    status,
    contentRange,
    text,
  ]);
  expect(answer.headers.get('content-length')).toBe(String(text.length));
});

test('returns the whole file for a range of an outdated version', async () => {
  const { url, read } = await signed('0123456789');
  const etag = (await read(url, { method: 'HEAD' })).headers.get('etag') ?? '';
  const status = async (ifRange: string) =>
    (await read(url, { headers: { range: 'bytes=0-1', 'if-range': ifRange } })).status;
  expect([await status(etag), await status('"other"')]).toEqual([206, 200]);
});

test('answers HEAD without a body, and serves empty files', async () => {
  const { url, read } = await signed('0123456789');
  const head = await read(url, { method: 'HEAD', headers: { range: 'bytes=0-1' } });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
  const empty = await signed('');
  const answer = await empty.read(empty.url);
  expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '0', '']);
});

test('rejects an expired URL and reports a deleted file', async () => {
  const { url, read, store } = await signed('x');
  await store.delete('videos/rnd_1.mp4');
  expect((await read(url)).status).toBe(404);
  clock.now += 60_000;
  const answer = await read(url);
  expect([answer.status, (await answer.json()).error]).toEqual([
    403,
    { code: 'permission_denied', message: 'This URL has expired. Get the render again for a new URL.' },
  ]);
});

test('rejects names that leave the folder', async () => {
  const { store, folder, read, url } = await signed('x');
  await mkdir(join(folder, 'videos', 'x'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'secret');
  for (const key of [
    '../x.mp4',
    'videos/../secret.txt',
    'secret.txt',
    '/etc/passwd.txt',
    'videos/.x.tmp',
    'a/b/c.mp4',
    'videos/x',
    '',
  ])
    await expect(async () => store.size(key)).rejects.toThrow('invalid object key');
  for (const path of ['..%2fsecret.txt', '.x.tmp', '%2e%2e/secret.txt', 'x'])
    expect((await read(url.replace('rnd_1.mp4', path))).status).toBeOneOf([403, 404]);
});
