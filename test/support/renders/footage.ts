// Footage whose frames contain their number as black and white blocks, lowest bit first.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../project.ts';
import { referenceFfmpeg } from './ffmpeg.ts';
import type { Picture } from './video.ts';

export const footageBits = 8;
export const footageWidth = 128;
export const footageHeight = 32;

const ffmpeg = referenceFfmpeg;

export type Footage = {
  /** File name; the extension selects the container. */
  name?: string;
  fps?: string;
  seconds?: number;
  /** Arguments of the encoder, after the inputs. */
  codec?: string[];
  /** Filters after the numbering: `transpose=1`, `setpts=...`. */
  filter?: string;
  /** Adds a tone. */
  sound?: boolean;
  /** Adds a click at the frame with this number. */
  clickAt?: number;
};

/** Many tests use the same files. */
const made = new Map<string, Buffer>();

/** The bytes of the file. */
export function footage(options: Footage = {}): Buffer {
  const key = JSON.stringify(options);
  const bytes = made.get(key) ?? makeFootage(options);
  made.set(key, bytes);
  return bytes;
}

function makeFootage({
  name = 'footage.mp4',
  fps = '30',
  seconds = 2,
  codec = ['-c:v', 'libx264', '-crf', '12', '-g', '12', '-bf', '2', '-pix_fmt', 'yuv420p'],
  filter,
  sound = false,
  clickAt,
}: Footage): Buffer {
  const block = footageWidth / footageBits;
  const boxes = Array.from(
    { length: footageBits },
    (_, bit) =>
      `drawbox=x=${bit * block}:y=0:w=${block}:h=${footageHeight}:color=white:t=fill:enable='mod(floor(n/${2 ** bit})\\,2)'`,
  );
  const source = `color=c=black:size=${footageWidth}x${footageHeight}:rate=${fps}:duration=${seconds}`;
  const filters = [source, ...boxes, ...(filter ? [filter] : [])].join(',');
  const click = clickAt === undefined ? '' : `if(eq(n,${Math.round((clickAt * 48_000) / Number(fps))}),1,0)`;
  const formula = sound ? '0.5*sin(2*PI*440*t)' : click;
  const tone = formula === '' ? [] : ['-f', 'lavfi', '-i', `aevalsrc='${formula}':s=48000:d=${seconds}`];
  const file = join(temporaryFolder(), name);
  execFileSync(ffmpeg, ['-v', 'error', '-y', '-f', 'lavfi', '-i', filters, ...tone, ...codec, '-vsync', 'vfr', file]);
  return readFileSync(file);
}

/** The same frames in mp4 with rotation metadata, of a quarter turn as phones write it. */
export function rotated(clip: Buffer, degrees = 90): Buffer {
  const folder = temporaryFolder();
  const [from, to] = [join(folder, 'from.mp4'), join(folder, 'to.mp4')];
  writeFileSync(from, clip);
  execFileSync(ffmpeg, ['-v', 'error', '-i', from, '-c', 'copy', '-metadata:s:v:0', `rotate=${degrees}`, to]);
  return readFileSync(to);
}

/** The same frames in mp4 with metadata that mirrors them: the first number of the matrix in the track header scales the width. */
export function mirrored(clip: Buffer): Buffer {
  const changed = rotated(clip, 0);
  const matrix = changed.indexOf('tkhd') + 44;
  changed.writeInt32BE(-changed.readInt32BE(matrix), matrix);
  return changed;
}

/** Reads the number in a frame that shows such footage at `x`, `y`, scaled by `scale`. */
export function readNumber(picture: Picture | undefined, x = 0, y = 0, scale = 1): number {
  const block = (footageWidth / footageBits) * scale;
  const bits = Array.from({ length: footageBits }, (_, bit) => {
    const [red = 0] =
      picture?.at(Math.floor(x + (bit + 0.5) * block), Math.floor(y + (footageHeight / 2) * scale)) ?? [];
    return red > 128 ? 2 ** bit : 0;
  });
  return bits.reduce((sum, bit) => sum + bit, 0);
}
