// x264 with our own arguments and nothing else at work: raw frames from a file, so its speed is the limit for ours.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { h264Settings } from '../../renderer-core/media/codecs.ts';
import { segmentArguments } from '../../renderer-core/media/encode.ts';
import { holdPictures } from '../../renderer-core/media/heldPictures.ts';
import { ivfFrames } from '../../renderer-core/media/ivf.ts';
import { joinSegments } from '../../renderer-core/media/join.ts';
import { splitFrames } from '../../renderer-core/plan/chunks.ts';
import type { Quality } from '../../renderer-core/plan/formats.ts';
import { framesPerSecond } from './cases.ts';
import { type Measured, measure } from './processTree.ts';

export type LimitOptions = {
  ffmpeg: string;
  /** File of yuv420p pictures. */
  raw: string;
  width: number;
  height: number;
  frames: number;
  quality: Quality;
  /** As many as our render had pages, each with a part of the frames. */
  encoders: number;
  /** Folder for the parts. */
  folder: string;
  output: string;
};

/** Encodes; the parts are joined to `output` outside the measured time. */
export async function measureX264(options: LimitOptions): Promise<Measured> {
  const { ffmpeg, raw, width, height, frames, quality, encoders, folder, output } = options;
  const rate = { num: framesPerSecond, den: 1 };
  const frameBytes = (width * height * 3) / 2;
  const { holds } = h264Settings[quality];
  const encoding = { format: 'mp4', codec: 'h264', quality, hdr: false, fps: rate } as const;
  const chunks = splitFrames(frames, encoders);
  const parts = chunks.map(({ index, start, end }) => {
    const file = join(folder, `x264-${index}.${holds ? 'h264' : 'mp4'}`);
    const input = `subfile,,start,${start * frameBytes},end,${end * frameBytes},,:${raw}`;
    const args = segmentArguments({ pixels: 'i420', width, height }, encoding, 'libx264', start, file);
    return { file, start, program: { command: ffmpeg, args: args.map((arg) => (arg === 'pipe:0' ? input : arg)) } };
  });
  const measured = await measure(...parts.map(({ program }) => program));
  const segments: string[] = [];
  for (const { file, start } of parts) {
    const segment = holds ? `${file}.ivf` : file;
    if (holds) await writeFile(segment, ivfFrames(holdPictures(await readFile(file), []), start));
    segments.push(segment);
  }
  await joinSegments(ffmpeg, segments, { ...encoding, width, height, frames, chunks }, folder, output);
  for (const file of [...parts.map((part) => part.file), ...segments]) await rm(file, { force: true });
  return measured;
}
