// Encodes the frames of one chunk to a segment. Frames that repeat are inserted into the encoded stream where possible.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Chunk } from '../plan/chunks.ts';
import type { RenderPlan } from '../plan/renderPlan.ts';
import type { Encoder } from './codecs.ts';
import { pngArguments, segmentArguments, segmentContainer } from './encode.ts';
import { type Ffmpeg, startFfmpeg, startFfmpegStream } from './ffmpeg.ts';
import type { FrameInput } from './frameFormat.ts';
import { ivfFrames } from './ivf.ts';
import { insertSkippedFrames } from './repeatedFrames.ts';

/** The data that all segments of a render share. */
export type SegmentJob = {
  ffmpeg: Ffmpeg;
  encoder: Encoder;
  plan: RenderPlan;
  /** Folder for the segments, or for the frames when the format is png. */
  folder: string;
  signal: AbortSignal;
};

export type SegmentWriter = {
  /** Path of the finished segment, or of the folder when the format is png. */
  path: string;
  /** Writes `frame` as the next `count` frames. `same`: the frame before them was the same. */
  write(frame: Uint8Array, count: number, same: boolean): Promise<void>;
  /** Resolves when the segment is complete. */
  finish(): Promise<void>;
};

/** Encodes nothing. */
export const discardFrames: SegmentWriter = { path: '', write: async () => undefined, finish: async () => undefined };

/**
 * The number of equal frames that are encoded before the rest are inserted. The encoder spends more bits on a frame when
 * its lookahead shows that the frame stays.
 */
const encodedCopies = 4;

/** The file extension of a finished segment. `joinSegments` depends on it. */
export function segmentExtension(plan: Parameters<typeof segmentContainer>[0]): string {
  const container = segmentContainer(plan);
  return container === 'h264' ? 'ivf' : container;
}

export function startSegment(job: SegmentJob, input: FrameInput, chunk: Chunk): SegmentWriter {
  const { ffmpeg, encoder, plan, folder, signal } = job;
  if (encoder === 'png') return startPlain(ffmpeg, pngArguments(input, plan.fps, folder, chunk.start), folder, signal);
  const path = join(folder, `segment-${String(chunk.index).padStart(5, '0')}.${segmentExtension(plan)}`);
  if (segmentContainer(plan) === 'h264') {
    const args = segmentArguments(input, plan, encoder, chunk.start, 'pipe:1');
    return startWithSkippedFrames(ffmpeg, args, path, chunk, signal);
  }
  const args = segmentArguments(input, plan, encoder, chunk.start, path);
  return startPlain(ffmpeg, args, path, signal);
}

function startPlain(ffmpeg: Ffmpeg, args: string[], path: string, signal: AbortSignal): SegmentWriter {
  const encoder = startFfmpeg(ffmpeg, args, signal);
  return {
    path,
    async write(frame, count) {
      for (let copy = 0; copy < count; copy++) await encoder.write(frame);
    },
    finish: encoder.finish,
  };
}

function startWithSkippedFrames(
  ffmpeg: Ffmpeg,
  args: string[],
  path: string,
  chunk: Chunk,
  signal: AbortSignal,
): SegmentWriter {
  const encoder = startFfmpegStream(ffmpeg, args, signal);
  const stream = buffer(encoder.output);
  // ffmpeg's exit explains an error of its output.
  stream.catch(() => undefined);
  /** For each encoded frame, the number of frames to insert after it. */
  const repeats: number[] = [];
  let encoded = 0;
  return {
    path,
    async write(frame, count, same) {
      if (!same || repeats.length === 0) encoded = 0;
      const coded = Math.min(count, encodedCopies - encoded);
      for (let copy = 0; copy < coded; copy++) {
        await encoder.write(frame);
        repeats.push(0);
      }
      encoded += coded;
      repeats.push((repeats.pop() ?? 0) + count - coded);
    },
    async finish() {
      await encoder.finish();
      const frames = insertSkippedFrames(await stream, repeats);
      const expected = chunk.end - chunk.start;
      if (frames.length !== expected)
        throw new Error(`segment ${chunk.index} has ${frames.length} frames instead of ${expected}`);
      await writeFile(path, ivfFrames(frames, chunk.start), { signal });
    },
  };
}
