// The order in which the frames of several pages reach the encoder of their chunk.
import { expect, test } from 'vitest';
import type { SegmentWriter } from '../../../../renderer-core/media/segment.ts';
import { openChunkEncoder } from '../../../../renderer-core/render/chunks/chunkEncoder.ts';
import { deferred } from '../../../../renderer-core/render/promises.ts';

const input = { pixels: 'rgba', width: 1, height: 1 } as const;

const frame = (index: number, content = index, repeat = 1, same = false) => ({
  ...{ frame: index, repeat, same, passthrough: false },
  data: Buffer.from([content]),
});

/** An encoder of frames 10 to 15 in shares of two; `written` has the content, the count and `same` of each frame. */
function open(options: { write?: () => Promise<void>; maxHeld?: number; signal?: AbortSignal } = {}) {
  const written: string[] = [];
  const segment: SegmentWriter = {
    path: 'segment',
    async write(data, count, same) {
      await options.write?.();
      written.push(`${data[0]} x${count}${same ? ' same' : ''}`);
    },
    async finish() {
      written.push('end');
    },
  };
  const encoder = openChunkEncoder({
    chunk: { index: 1, start: 10, end: 16 },
    shareStarts: new Set([0, 10, 12, 14, 16]),
    maxHeld: () => options.maxHeld ?? 4,
    signal: options.signal ?? new AbortController().signal,
    start: async () => segment,
  });
  return { encoder, written };
}

const isPending = async (work: Promise<unknown>) => {
  let pending = true;
  work
    .catch(() => undefined)
    .finally(() => {
      pending = false;
    });
  await new Promise((resolve) => setImmediate(resolve));
  return pending;
};

test('encodes frames in order, whichever is captured first', async () => {
  const { encoder, written } = open();
  for (const index of [14, 12, 10, 13, 11, 15]) await encoder.write(frame(index), input);
  await encoder.encoded;
  expect(written).toEqual(['10 x1', '11 x1', '12 x1', '13 x1', '14 x1', '15 x1', 'end']);
  expect(await encoder.path).toBe('segment');
});

test('keeps the data of a frame that waits', async () => {
  const { encoder, written } = open();
  const early = frame(12, 12, 2);
  await encoder.write(early, input);
  early.data[0] = 99;
  await encoder.write(frame(10, 10, 2), input);
  await encoder.write(frame(14, 14, 2), input);
  await encoder.encoded;
  expect(written).toEqual(['10 x2', '12 x2', '14 x2', 'end']);
});

test('compares the first frame of a share with the frame before it, whichever page captured them', async () => {
  const { encoder, written } = open();
  await encoder.write(frame(10, 7), input);
  await encoder.write(frame(11, 7, 1, true), input);
  // A page that starts here does not know the frame before.
  await encoder.write(frame(12, 7), input);
  await encoder.write(frame(13, 8), input);
  // A page that continues does.
  await encoder.write(frame(14, 8, 2, true), input);
  await encoder.encoded;
  expect(written).toEqual(['7 x1', '7 x1 same', '7 x1 same', '8 x1', '8 x2 same', 'end']);
});

test('makes pages wait that are too far ahead', async () => {
  const { encoder, written } = open({ maxHeld: 1 });
  await encoder.write(frame(14), input);
  const ahead = encoder.write(frame(15), input);
  expect(await isPending(ahead)).toBe(true);
  await encoder.write(frame(10, 10, 4), input);
  await ahead;
  await encoder.encoded;
  expect(written).toEqual(['10 x4', '14 x1', '15 x1', 'end']);
});

test('fails for every page when the segment cannot be written', async () => {
  const failure = deferred<void>();
  const { encoder } = open({ write: () => failure.promise, maxHeld: 0 });
  const first = encoder.write(frame(10), input);
  const second = encoder.write(frame(12), input);
  failure.reject(new Error('disk full'));
  for (const work of [first, second, encoder.encoded]) await expect(work).rejects.toThrow('disk full');
});

test('stops waiting when the render is aborted', async () => {
  const stop = new AbortController();
  const { encoder } = open({ maxHeld: 0, signal: stop.signal });
  const ahead = encoder.write(frame(12), input);
  expect(await isPending(ahead)).toBe(true);
  stop.abort(new Error('cancelled'));
  await expect(ahead).rejects.toThrow('cancelled');
});
