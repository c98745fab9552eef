// One chunk's pictures to one segment: encoded, or, where a picture stands still, repeated in the encoded stream.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chunk } from '../plan/chunks.ts';
import type { RenderPlan } from '../plan/plan.ts';
import type { Encoder } from './codecs.ts';
import { pngArguments, segmentArguments, segmentContainer } from './encode.ts';
import { startFfmpeg } from './ffmpeg.ts';
import { holdPictures } from './heldPictures.ts';
import { ivfFrames } from './ivf.ts';
import type { PictureInput } from './pictures.ts';

/** What every segment of a render has in common. */
export type SegmentJob = {
  ffmpeg: string;
  encoder: Encoder;
  plan: RenderPlan;
  /** Folder for segments, or for the frames themselves when the format is png. */
  folder: string;
  signal: AbortSignal;
};

export type SegmentWriter = {
  /** Path of the finished segment; of the folder when the format is png. */
  path: string;
  /** Takes the next `count` frames, which all show `picture`; `same` when the frame before them did too. */
  write(picture: Uint8Array, count: number, same: boolean): Promise<void>;
  /** Resolves when the segment is whole. */
  finish(): Promise<void>;
};

/**
 * Copies of a picture that the encoder gets before the rest are repeats: enough for it to see that the picture stays,
 * which it then makes better than one that passes.
 */
const encodedCopies = 4;

/** What the name of a finished segment ends in; joining goes by it. */
export function segmentExtension(plan: Parameters<typeof segmentContainer>[0]): string {
  const container = segmentContainer(plan);
  return container === 'h264' ? 'ivf' : container;
}

export function startSegment(job: SegmentJob, input: PictureInput, chunk: Chunk): SegmentWriter {
  const { ffmpeg, encoder, plan, folder, signal } = job;
  if (encoder === 'png') return startPlain(ffmpeg, pngArguments(input, plan.fps, folder, chunk.start), folder, signal);
  const name = join(folder, `segment-${String(chunk.index).padStart(5, '0')}`);
  const path = `${name}.${segmentContainer(plan)}`;
  const args = segmentArguments(input, plan, encoder, chunk.start, path);
  if (!path.endsWith('.h264')) return startPlain(ffmpeg, args, path, signal);
  return startHeld(ffmpeg, args, path, `${name}.ivf`, chunk, signal);
}

function startPlain(ffmpeg: string, args: string[], path: string, signal: AbortSignal): SegmentWriter {
  const encoder = startFfmpeg(ffmpeg, args, signal);
  return {
    path,
    async write(picture, count) {
      for (let copy = 0; copy < count; copy++) await encoder.write(picture);
    },
    finish: encoder.finish,
  };
}

function startHeld(
  ffmpeg: string,
  args: string[],
  stream: string,
  path: string,
  chunk: Chunk,
  signal: AbortSignal,
): SegmentWriter {
  const encoder = startFfmpeg(ffmpeg, args, signal);
  /** For each encoded picture, how many more frames it stands for. */
  const held: number[] = [];
  let encoded = 0;
  return {
    path,
    async write(picture, count, same) {
      if (!same || held.length === 0) encoded = 0;
      const coded = Math.min(count, encodedCopies - encoded);
      for (let copy = 0; copy < coded; copy++) {
        await encoder.write(picture);
        held.push(0);
      }
      encoded += coded;
      held.push((held.pop() ?? 0) + count - coded);
    },
    async finish() {
      await encoder.finish();
      const pictures = holdPictures(await readFile(stream), held);
      const frames = chunk.end - chunk.start;
      if (pictures.length !== frames) throw new Error(`a segment of ${frames} frames came out with ${pictures.length}`);
      await writeFile(path, ivfFrames(pictures, chunk.start), { signal });
      await rm(stream);
    },
  };
}
