// The object store in a folder: what every store promises.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { beforeEach, expect, test } from 'vitest';
import { errorResponse } from '../../renderer-core/service/answers.ts';
import type { ApiError } from '../../renderer-core/service/apiErrors.ts';
import { createDiskObjects } from '../../renderer-core/service/diskObjects.ts';
import { objectStoreCases, type StoreUnderTest } from '../support/objectStoreCases.ts';
import { testFolder } from '../support/service.ts';

let opened: StoreUnderTest;
let time = 1_800_000_000_000;
beforeEach(async () => {
  const folder = join(await testFolder(), 'objects');
  const publicUrl = 'http://127.0.0.1:8787';
  const store = createDiskObjects({ folder, publicUrl, urlKey: Buffer.alloc(32, 7), now: () => time });
  const app = new Hono();
  store.mount(app as never);
  app.onError((error) => errorResponse(error as ApiError));
  const leftovers = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();
  };
  opened = { store, now: () => time, leftovers, read: async (url, init) => app.request(url, init) };
});

objectStoreCases(() => opened);

test('a signed URL holds until its time and no longer', async () => {
  const { store, read } = opened;
  await store.put('videos/a.mp4', Readable.from(['x']), { contentType: 'video/mp4' });
  const options = { expiresAt: time + 60_000, filename: 'a.mp4', contentType: 'video/mp4' };
  const url = await store.signedUrl('videos/a.mp4', options);
  time += 59_999;
  expect((await read(url)).status).toBe(200);
  time += 1;
  expect((await read(url)).status).toBe(403);
});
