// Tests of the object store interface, run for every implementation.
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { ObjectStore } from '../../../cloud/service/storage/objectStore.ts';

export type StoreUnderTest = {
  store: ObjectStore;
  /** A movable clock: Unix milliseconds. */
  now(): number;
  /** Requests a signed URL without credentials. */
  read(url: string, init?: RequestInit): Promise<Response>;
  /** The names of everything stored, including partial uploads. */
  leftovers(): Promise<string[]>;
};

const binary = { contentType: 'application/octet-stream' };
const mebibyte = 1024 * 1024;

/** A stream of `count` bytes in small chunks, with different content at every position. */
function pieces(count: number): { bytes: Buffer; stream: Readable } {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at + 4 <= count; at += 4) bytes.writeUInt32LE(at, at);
  return { bytes, stream: Readable.from(cut(bytes, 60_000)) };
}

function* cut(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A stream of `good` bytes that then fails or stalls. */
async function* breaking(good: number, then: () => Promise<void> | never): AsyncGenerator<Buffer> {
  for (const piece of cut(Buffer.alloc(good, 1), 60_000)) yield piece;
  await then();
}

/** Registers the tests. `open` is called at the start of each. */
export function objectStoreCases(open: () => StoreUnderTest): void {
  test.each([0, 1, 100_000, 20 * mebibyte + 3])('returns the %i bytes that were stored', async (count) => {
    const { store } = open();
    const { bytes, stream } = pieces(count);
    expect(await store.put(`videos/size${count}.mp4`, stream, { contentType: 'video/mp4' })).toBe(count);
    expect(await store.size(`videos/size${count}.mp4`)).toBe(count);
    const found = await store.get(`videos/size${count}.mp4`);
    expect(found?.size).toBe(count);
    expect(found && (await buffer(found.body)).equals(bytes)).toBe(true);
  });

  test('returns an inclusive range, with the size of the whole object', async () => {
    const { store } = open();
    await store.put('assets/range.zip', Readable.from([Buffer.from('0123456789')]), binary);
    const range = async (start: number, end: number) => {
      const found = await store.get('assets/range.zip', { start, end });
      return found && { size: found.size, text: (await buffer(found.body)).toString() };
    };
    expect(await range(2, 4)).toEqual({ size: 10, text: '234' });
    expect(await range(0, 0)).toEqual({ size: 10, text: '0' });
    expect(await range(9, 9)).toEqual({ size: 10, text: '9' });
  });

  test('returns undefined for a missing object, which can be deleted', async () => {
    const { store } = open();
    expect(await store.get('assets/none.zip')).toBeUndefined();
    expect(await store.get('assets/none.zip', { start: 0, end: 1 })).toBeUndefined();
    expect(await store.size('assets/none.zip')).toBeUndefined();
    await store.delete('assets/none.zip');
  });

  test('deletes an object', async () => {
    const { store } = open();
    await store.put('assets/gone.zip', Readable.from([Buffer.from('x')]), binary);
    await store.delete('assets/gone.zip');
    expect(await store.size('assets/gone.zip')).toBeUndefined();
  });

  test('replaces an object', async () => {
    const { store } = open();
    await store.put('assets/again.zip', Readable.from([Buffer.from('the first')]), binary);
    await store.put('assets/again.zip', Readable.from([Buffer.from('second')]), binary);
    const found = await store.get('assets/again.zip');
    expect(found && (await buffer(found.body)).toString()).toBe('second');
  });

  // A body small enough for a single request, and one that is uploaded in parts.
  describeBroken(100_000);
  describeBroken(30 * mebibyte);

  function describeBroken(good: number): void {
    test(`stores nothing if the body fails after ${good} bytes`, async () => {
      const { store, leftovers } = open();
      const before = await leftovers();
      const body = Readable.from(
        breaking(good, () => {
          throw new Error('the client went away');
        }),
      );
      await expect(store.put('assets/broken.zip', body, binary)).rejects.toThrow('the client went away');
      expect(await store.size('assets/broken.zip')).toBeUndefined();
      expect(await leftovers()).toEqual(before);
    });

    test(`keeps the old object if the upload is aborted after ${good} bytes`, async () => {
      const { store, leftovers } = open();
      await store.put('assets/kept.zip', Readable.from([Buffer.from('earlier')]), binary);
      const before = await leftovers();
      const abort = new AbortController();
      // This stream never ends.
      const body = Readable.from(
        breaking(good, async () => {
          abort.abort();
          await new Promise(() => undefined);
        }),
      );
      const upload = store.put('assets/kept.zip', body, { ...binary, signal: abort.signal });
      await expect(upload).rejects.toThrow(/abort/i);
      const found = await store.get('assets/kept.zip');
      expect(found && (await buffer(found.body)).toString()).toBe('earlier');
      expect(await leftovers()).toEqual(before);
    });
  }

  test('serves a signed URL without credentials, also in ranges', async () => {
    const { store, now, read } = open();
    await store.put('videos/signed.mp4', Readable.from([Buffer.from('0123456789')]), { contentType: 'video/mp4' });
    const options = { expiresAt: now() + 60_000, filename: 'my "film".mp4', contentType: 'video/mp4' };
    const url = await store.signedUrl('videos/signed.mp4', options);
    const whole = await read(url);
    expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
    expect(whole.headers.get('content-type')).toBe('video/mp4');
    expect(whole.headers.get('content-disposition')).toBe('inline; filename="my__film_.mp4"');
    const part = await read(url, { headers: { range: 'bytes=3-5' } });
    expect([part.status, await part.text()]).toEqual([206, '345']);
    expect(part.headers.get('content-range')).toBe('bytes 3-5/10');
  });

  test('rejects a modified signed URL', async () => {
    const { store, now, read } = open();
    for (const name of ['one', 'two'])
      await store.put(`videos/${name}.mp4`, Readable.from([Buffer.from(name)]), { contentType: 'video/mp4' });
    const sign = (expiresAt: number) =>
      store.signedUrl('videos/one.mp4', { expiresAt, filename: 'one.mp4', contentType: 'video/mp4' });
    const status = async (url: string) => {
      const answer = await read(url);
      await answer.body?.cancel();
      return answer.status;
    };
    const url = await sign(now() + 60_000);
    expect(await status(url.replace('one.mp4', 'two.mp4'))).toBe(403);
    expect(await status(url.replaceAll('video%2Fmp4', 'text%2Fhtml'))).toBe(403);
    expect([403, 404]).toContain(await status(url.slice(0, url.indexOf('?'))));
  });
}
