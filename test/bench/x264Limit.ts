// x264 alone with our arguments, encoding raw frames from a file: its speed is the upper limit for our renderer.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { h264Settings } from '../../renderer-core/media/codecs.ts';
import { segmentArguments } from '../../renderer-core/media/encode.ts';
import { ffmpegCommand } from '../../renderer-core/media/ffmpeg.ts';
import { ivfFrames } from '../../renderer-core/media/ivf.ts';
import { joinSegments } from '../../renderer-core/media/join.ts';
import { insertSkippedFrames } from '../../renderer-core/media/repeatedFrames.ts';
import { splitFrames } from '../../renderer-core/plan/chunks.ts';
import type { Quality } from '../../renderer-core/plan/formats.ts';
import { framesPerSecond } from './cases.ts';
import { type Measured, measure } from './processTree.ts';

export type LimitOptions = {
  ffmpeg: string;
  /** A file of raw yuv420p frames. */
  raw: string;
  width: number;
  height: number;
  frames: number;
  quality: Quality;
  /** The number of encoders: the same as the number of pages in our render. Each encodes a part of the frames. */
  encoders: number;
  /** Folder for the encoded parts. */
  folder: string;
  output: string;
};

/** Encodes the frames. Joining the parts to `output` is not part of the measured time. */
export async function measureX264(options: LimitOptions): Promise<Measured> {
  const { ffmpeg, raw, width, height, frames, quality, encoders, folder, output } = options;
  const rate = { num: framesPerSecond, den: 1 };
  const frameBytes = (width * height * 3) / 2;
  const { skipsRepeats } = h264Settings[quality];
  const encoding = { format: 'mp4', codec: 'h264', quality, hdr: null, bitDepth: 8, fps: rate } as const;
  const chunks = splitFrames(frames, encoders);
  const parts = chunks.map(({ index, start, end }) => {
    const file = join(folder, `x264-${index}.${skipsRepeats ? 'h264' : 'mp4'}`);
    const input = `subfile,,start,${start * frameBytes},end,${end * frameBytes},,:${raw}`;
    const args = segmentArguments({ pixels: 'i420', width, height }, encoding, 'libx264', start, file);
    const [command, all] = ffmpegCommand(
      ffmpeg,
      args.map((arg) => (arg === 'pipe:0' ? input : arg)),
    );
    return { file, start, program: { command, args: all } };
  });
  const measured = await measure(...parts.map(({ program }) => program));
  const segments: string[] = [];
  for (const { file, start } of parts) {
    const segment = skipsRepeats ? `${file}.ivf` : file;
    if (skipsRepeats) await writeFile(segment, ivfFrames(insertSkippedFrames(await readFile(file), []), start));
    segments.push(segment);
  }
  const plan = { ...encoding, width, height, frames, chunks };
  await joinSegments({ path: ffmpeg, env: process.env }, segments, plan, folder, output);
  for (const file of [...parts.map((part) => part.file), ...segments]) await rm(file, { force: true });
  return measured;
}
