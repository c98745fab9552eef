// Sends files while they grow.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { VideoBytes } from '../../../renderer-core/media/indexFirst.ts';
import { deferred } from '../../../renderer-core/render/promises.ts';
import type { Bucket } from '../../../serverless/bucket.ts';
import { uploadWhileWritten } from '../../../serverless/steps/growingUpload.ts';
import { temporaryFolder } from '../../support/project.ts';
import { memoryBucket } from '../../support/servers/memoryBucket.ts';

const mib = 1024 * 1024;
const finalFrom = 6 * mib;
const key = 'videos/a.mp4';

/** A file whose MiB number n consists of bytes n. */
const numbered = (from: number, to: number): Buffer =>
  Buffer.concat(Array.from({ length: to - from }, (_, index) => Buffer.alloc(mib, from + index)));

/** A bucket with an earlier video, and the numbers of the parts in the order in which they were sent. */
function recordedBucket(): {
  bucket: Bucket;
  objects: Record<string, unknown>;
  sent: number[];
  aborted: () => boolean;
} {
  const objects: Record<string, unknown> = { [key]: 'earlier' };
  const bucket = memoryBucket(objects);
  const sent: number[] = [];
  let isAborted = false;
  const startParts: Bucket['startParts'] = async (...args) => {
    const parts = await bucket.startParts(...args);
    return {
      ...parts,
      async send(number, bytes) {
        sent.push(number);
        await parts.send(number, bytes);
      },
      async abort() {
        isAborted = true;
        await parts.abort();
      },
    };
  };
  return { bucket: { ...bucket, startParts }, objects, sent, aborted: () => isAborted };
}

test('sends what is final while the file grows, and the front last', async () => {
  const { bucket, objects, sent } = recordedBucket();
  const path = join(temporaryFolder(), 'video');
  const { promise, resolve } = deferred<VideoBytes>();
  const uploaded = uploadWhileWritten(bucket, key, 'video/mp4', { path, finalFrom, written: promise });
  writeFileSync(path, numbered(0, 40));
  await vi.waitFor(() => expect(sent.toSorted()).toEqual([2, 3]));
  appendFileSync(path, numbered(40, 60));
  await vi.waitFor(() => expect(sent.toSorted()).toEqual([2, 3, 4]));
  expect(objects[key]).toBe('earlier');
  writeFileSync(path, Buffer.concat([Buffer.alloc(mib, 99), readFileSync(path).subarray(mib)]));
  resolve({ head: Buffer.alloc(0), start: 0, end: 60 * mib });
  expect(await uploaded).toBe(60 * mib);
  expect(sent.toSorted()).toEqual([1, 2, 3, 4, 5]);
  expect(Buffer.concat([Buffer.alloc(mib, 99), numbered(1, 60)]).equals(objects[key] as Buffer)).toBe(true);
});

// The index is the last 5 MiB of the file.
test.each([
  ['in the last part that was sent', 38, 33, [1, 2, 3, 3]],
  ['behind the last part that was sent', 43, 38, [1, 2, 3]],
  ['in the only part that was sent', 22, 17, [1, 2, 2]],
  ['the only part that was sent, with a part of the front', 22, 5, [1, 2]],
])('replaces the index at the end of the file, %s, by the one in front', async (_, size, end, numbers) => {
  const { bucket, objects, sent } = recordedBucket();
  const path = join(temporaryFolder(), 'video');
  writeFileSync(path, numbered(0, size));
  const written = Promise.resolve({ head: Buffer.alloc(6 * mib, 77), start: mib, end: end * mib });
  expect(await uploadWhileWritten(bucket, key, 'video/mp4', { path, finalFrom, written })).toBe((5 + end) * mib);
  expect(sent.toSorted()).toEqual(numbers);
  expect(Buffer.concat([Buffer.alloc(6 * mib, 77), numbered(1, end)]).equals(objects[key] as Buffer)).toBe(true);
});

test('sends a short video at once', async () => {
  const { bucket, objects, sent } = recordedBucket();
  const path = join(temporaryFolder(), 'video');
  writeFileSync(path, 'ftypmdatmoov');
  const written = Promise.resolve({ head: Buffer.from('ftypmoov'), start: 4, end: 8 });
  expect(await uploadWhileWritten(bucket, key, 'video/mp4', { path, finalFrom, written })).toBe(12);
  expect(sent).toEqual([]);
  expect(String(objects[key])).toBe('ftypmoovmdat');
});

test('keeps an earlier video when the new one cannot be written', async () => {
  const { bucket, objects, sent, aborted } = recordedBucket();
  const path = join(temporaryFolder(), 'video');
  writeFileSync(path, numbered(0, 40));
  const { promise, reject } = deferred<VideoBytes>();
  const uploaded = uploadWhileWritten(bucket, key, 'video/mp4', { path, finalFrom, written: promise });
  await vi.waitFor(() => expect(sent.toSorted()).toEqual([2, 3]));
  reject(new Error('the disk is full'));
  await expect(uploaded).rejects.toThrow('the disk is full');
  expect(objects[key]).toBe('earlier');
  expect(aborted()).toBe(true);
});

test('discards the parts when one of them cannot be sent', async () => {
  const { bucket, objects, aborted } = recordedBucket();
  const path = join(temporaryFolder(), 'video');
  writeFileSync(path, numbered(0, 40));
  const startParts: Bucket['startParts'] = async (...args) => ({
    ...(await bucket.startParts(...args)),
    send: () => Promise.reject(new Error('no access')),
  });
  const written = Promise.resolve({ head: Buffer.alloc(0), start: 0, end: 40 * mib });
  const growing = { path, finalFrom, written };
  await expect(uploadWhileWritten({ ...bucket, startParts }, key, 'video/mp4', growing)).rejects.toThrow('no access');
  expect(objects[key]).toBe('earlier');
  expect(aborted()).toBe(true);
});
