// Encodes the frames of a chunk in order, while several pages capture them: frames that come early are held in memory.
import type { CapturedFrame } from '../../capture/frameSource.ts';
import type { FrameInput } from '../../media/frameFormat.ts';
import type { SegmentWriter } from '../../media/segment.ts';
import type { Chunk } from '../../plan/chunks.ts';
import { type Deferred, deferred, untilAborted } from '../promises.ts';

export type ChunkEncoder = {
  /** Takes a frame. Resolves when its data may be reused and there is room for another frame. */
  write(captured: CapturedFrame, input: FrameInput): Promise<void>;
  /** Resolves to the path of the segment when it has been started. */
  path: Promise<string>;
  /** Resolves when the segment is complete. */
  encoded: Promise<void>;
};

export type ChunkEncoderOptions = {
  chunk: Chunk;
  /** The first frames of the chunk's shares. Only there the encoder compares frames: pages know what follows in a share. */
  shareStarts: ReadonlySet<number>;
  /** The number of frames that may be held. */
  maxHeld(): number;
  signal: AbortSignal;
  start(input: FrameInput): Promise<SegmentWriter>;
};

export function openChunkEncoder({ chunk, shareStarts, maxHeld, signal, start }: ChunkEncoderOptions): ChunkEncoder {
  const held = new Map<number, CapturedFrame>();
  const spare: Buffer[] = [];
  const started = deferred<string>();
  const ended = deferred<void>();
  let segment: Promise<SegmentWriter> | undefined;
  /** The next frame to encode. */
  let next = chunk.start;
  let isWriting = false;
  /** The frame before the next share. */
  let last: Buffer | undefined;
  let step: Deferred<void> = deferred();
  // The next write and the end report a failure; until then it must not count as unhandled.
  for (const { promise } of [started, ended]) promise.catch(() => undefined);

  async function encode({ frame, repeat, data, same }: CapturedFrame, input: FrameInput): Promise<void> {
    isWriting = true;
    next = frame + repeat;
    segment ??= start(input);
    const writer = await segment;
    started.resolve(writer.path);
    const isFirst = shareStarts.has(frame);
    await writer.write(data, repeat, isFirst ? (last?.equals(data) ?? false) : same);
    if (shareStarts.has(next)) last = Buffer.from(data);
    if (next === chunk.end) writer.finish().then(ended.resolve, ended.reject);
    isWriting = false;
    step.resolve();
    step = deferred();
  }

  async function encodeHeld(input: FrameInput): Promise<void> {
    for (let early = held.get(next); early && !isWriting; early = held.get(next)) {
      held.delete(next);
      await encode(early, input);
      spare.push(early.data as Buffer);
    }
  }

  const fail = (error: unknown): never => {
    started.reject(error);
    ended.reject(error);
    throw error;
  };

  function hold(captured: CapturedFrame): void {
    const { length } = captured.data;
    const isReusable = spare.at(-1)?.length === length;
    const copy = (isReusable && spare.pop()) || Buffer.allocUnsafeSlow(length);
    copy.set(captured.data);
    held.set(captured.frame, { ...captured, data: copy });
  }

  return {
    async write(captured, input) {
      while (isWriting || captured.frame !== next) {
        if (held.size < maxHeld()) return hold(captured);
        await Promise.race([untilAborted(step.promise, signal), ended.promise]);
      }
      await encode(captured, input).catch(fail);
      encodeHeld(input)
        .catch(fail)
        .catch(() => undefined);
    },
    path: started.promise,
    encoded: ended.promise,
  };
}
