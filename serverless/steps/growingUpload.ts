// Sends a video to the bucket while it is being written. Its first bytes, which change until the end, are sent last.
import { open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { VideoBytes } from '../../renderer-core/media/indexFirst.ts';
import type { Parts, Store } from '../store.ts';

/** S3 accepts 10,000 parts, which is enough for 160 GB. */
const partBytes = 16 * 1024 * 1024;

const maxParallelParts = 4;
const pollMs = 100;

export type GrowingVideo = {
  path: string;
  /** Bytes of the file from here on are final when they are written. At least 5 MiB, the least that S3 accepts for a part. */
  finalFrom: number;
  /** Resolves when the file is complete. */
  written: Promise<VideoBytes>;
};

/**
 * Sends a video as the object `key`, and returns its size. The object appears when it is complete. If `written` or a request
 * rejects, an earlier object stays as it was.
 */
export async function uploadWhileWritten(
  store: Store,
  key: string,
  contentType: string,
  growing: GrowingVideo,
): Promise<number> {
  const { path, finalFrom, written } = growing;
  let parts: Parts | undefined;
  const sent: Promise<void>[] = [];
  try {
    for await (const size of sizesUntil(written, path)) {
      while (partStart(finalFrom, sent.length + 1) <= size) {
        await sent.at(-maxParallelParts);
        parts ??= await store.startParts(key, contentType);
        const index = sent.length;
        sent.push(sendPart(parts, index, growing, partStart(finalFrom, index + 1)));
      }
    }
    const video = await written;
    const frontEnd = parts ? Math.min(finalFrom, video.end) : video.end;
    const front = Buffer.concat([video.head, await readBytes(path, video.start, frontEnd)]);
    if (parts) await sendRest(parts, sent, front, growing, video.end);
    else await store.put(key, front, contentType);
    return video.head.length + video.end - video.start;
  } catch (error) {
    await Promise.allSettled(sent);
    // The bucket removes unfinished uploads after a day.
    await parts?.abort().catch(() => undefined);
    throw error;
  }
}

/** Part 1 has the bytes in front of `finalFrom`. `index`: of the parts after it. */
const partStart = (finalFrom: number, index: number): number => finalFrom + index * partBytes;

function sendPart(parts: Parts, index: number, { path, finalFrom }: GrowingVideo, end: number): Promise<void> {
  const sent = readBytes(path, partStart(finalFrom, index), end).then((bytes) => parts.send(index + 2, bytes));
  // A failure is noticed when one of the next parts waits for this one.
  sent.catch(() => undefined);
  return sent;
}

/** `end`: of the video, in the file. Behind it, there may be an index, which the last parts that were sent may contain. */
async function sendRest(
  parts: Parts,
  sent: readonly Promise<void>[],
  front: Buffer,
  growing: GrowingVideo,
  end: number,
): Promise<void> {
  await Promise.all(sent);
  const whole = Math.max(0, Math.floor((end - growing.finalFrom) / partBytes));
  const hasRest = end > partStart(growing.finalFrom, whole);
  await Promise.all([parts.send(1, front), ...(hasRest ? [sendPart(parts, whole, growing, end)] : [])]);
  await parts.complete(1 + whole + (hasRest ? 1 : 0));
}

/** The size of the file at `path`, again and again until it is complete. */
async function* sizesUntil(written: Promise<unknown>, path: string): AsyncGenerator<number> {
  let isWritten = false;
  const ended = written.then(() => {
    isWritten = true;
  });
  while (!isWritten) {
    await Promise.race([sleep(pollMs), ended]);
    yield await stat(path).then(
      ({ size }) => size,
      () => 0,
    );
  }
}

async function readBytes(path: string, start: number, end: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const bytes = Buffer.allocUnsafe(end - start);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    if (bytesRead < bytes.length) throw new Error(`${path} ends before byte ${end}`);
    return bytes;
  } finally {
    await file.close();
  }
}
