// What every object store promises, whatever it keeps objects in.
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { ObjectStore } from '../../renderer-core/service/objects.ts';

export type StoreUnderTest = {
  store: ObjectStore;
  /** A clock that can be moved: unix milliseconds. */
  now(): number;
  /** Follows a signed URL as a stranger would. */
  read(url: string, init?: RequestInit): Promise<Response>;
  /** Names of everything that takes room in it, half-written things included. */
  leftovers(): Promise<string[]>;
};

const binary = { contentType: 'application/octet-stream' };
const mebibyte = 1024 * 1024;

/** `count` bytes in small pieces, with every place in the file different. */
function pieces(count: number): { bytes: Buffer; stream: Readable } {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at + 4 <= count; at += 4) bytes.writeUInt32LE(at, at);
  return { bytes, stream: Readable.from(cut(bytes, 60_000)) };
}

function* cut(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Gives `good` bytes and then `then`, for uploads that end badly. */
async function* breaking(good: number, then: () => Promise<void> | never): AsyncGenerator<Buffer> {
  for (const piece of cut(Buffer.alloc(good, 1), 60_000)) yield piece;
  await then();
}

/** Registers the tests; `open` is asked at the beginning of each. */
export function objectStoreCases(open: () => StoreUnderTest): void {
  test.each([0, 1, 100_000, 20 * mebibyte + 3])('what is put is got, %i bytes', async (count) => {
    const { store } = open();
    const { bytes, stream } = pieces(count);
    expect(await store.put(`videos/size${count}.mp4`, stream, { contentType: 'video/mp4' })).toBe(count);
    expect(await store.size(`videos/size${count}.mp4`)).toBe(count);
    const found = await store.get(`videos/size${count}.mp4`);
    expect(found?.size).toBe(count);
    expect(found && (await buffer(found.body)).equals(bytes)).toBe(true);
  });

  test('a range has both its ends, and the size is that of the whole', async () => {
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

  test('what is not there is undefined, and can be deleted', async () => {
    const { store } = open();
    expect(await store.get('assets/none.zip')).toBeUndefined();
    expect(await store.get('assets/none.zip', { start: 0, end: 1 })).toBeUndefined();
    expect(await store.size('assets/none.zip')).toBeUndefined();
    await store.delete('assets/none.zip');
  });

  test('what is deleted is gone', async () => {
    const { store } = open();
    await store.put('assets/gone.zip', Readable.from([Buffer.from('x')]), binary);
    await store.delete('assets/gone.zip');
    expect(await store.size('assets/gone.zip')).toBeUndefined();
  });

  test('what is put again is replaced', async () => {
    const { store } = open();
    await store.put('assets/again.zip', Readable.from([Buffer.from('the first')]), binary);
    await store.put('assets/again.zip', Readable.from([Buffer.from('second')]), binary);
    const found = await store.get('assets/again.zip');
    expect(found && (await buffer(found.body)).toString()).toBe('second');
  });

  // One that would be sent at once, and one of which parts are already there.
  describeBroken(100_000);
  describeBroken(30 * mebibyte);

  function describeBroken(good: number): void {
    test(`a body that breaks off after ${good} bytes leaves nothing`, async () => {
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

    test(`an upload that is given up after ${good} bytes leaves what was there before`, async () => {
      const { store, leftovers } = open();
      await store.put('assets/kept.zip', Readable.from([Buffer.from('earlier')]), binary);
      const before = await leftovers();
      const abort = new AbortController();
      // It never ends by itself.
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

  test('a signed URL can be read by anybody, in parts too', async () => {
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

  test('a signed URL that was changed opens nothing', async () => {
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
    expect(await status(url.slice(0, url.indexOf('?')))).toBe(403);
  });
}
