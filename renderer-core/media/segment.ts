// One chunk's pictures to one segment: encoded, or, where a picture stands still, repeated in the encoded stream.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chunk } from '../plan/chunks.ts';
import type { RenderPlan } from '../plan/plan.ts';
import { h264Settings, joinArguments, type PictureInput, pngArguments, segmentArguments } from './encode.ts';
import type { Sound } from './encodeSound.ts';
import { runFfmpeg, startFfmpeg } from './ffmpeg.ts';
import { holdPictures } from './heldPictures.ts';
import { ivfFrames, ivfHeader } from './ivf.ts';

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

export function startSegment(
  ffmpeg: string,
  plan: RenderPlan,
  input: PictureInput,
  chunk: Chunk,
  folder: string,
  signal: AbortSignal,
): SegmentWriter {
  if (plan.format === 'png')
    return startPlain(ffmpeg, pngArguments(input, plan.fps, folder, chunk.start), folder, signal);
  const name = join(folder, `segment-${String(chunk.index).padStart(5, '0')}`);
  const args = (path: string) => segmentArguments(input, plan.fps, plan.quality, path);
  if (!h264Settings[plan.quality].holds) return startPlain(ffmpeg, args(`${name}.mp4`), `${name}.mp4`, signal);
  return startHeld(ffmpeg, args(`${name}.h264`), `${name}.h264`, `${name}.ivf`, chunk, signal);
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

/** Segments of one kind, and the sound if there is any, to the output file. */
export async function joinSegments(
  ffmpeg: string,
  segments: string[],
  plan: Pick<RenderPlan, 'fps' | 'width' | 'height'>,
  folder: string,
  output: string,
  signal?: AbortSignal,
  sound?: Sound,
): Promise<void> {
  if (segments.every((segment) => segment.endsWith('.ivf'))) {
    const mux = startFfmpeg(ffmpeg, joinArguments({ ivf: true }, plan.fps, output, sound), signal);
    await mux.write(ivfHeader('H264', plan.width + (plan.width % 2), plan.height + (plan.height % 2), plan.fps));
    for (const segment of segments) await mux.write(await readFile(segment));
    return mux.finish();
  }
  const list = join(folder, 'segments.txt');
  await writeFile(list, segments.map((segment) => `file '${segment.replaceAll("'", "'\\''")}'\n`).join(''));
  await runFfmpeg(ffmpeg, joinArguments({ list }, plan.fps, output, sound), signal);
}
