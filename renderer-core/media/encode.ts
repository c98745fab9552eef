// ffmpeg arguments: from pictures on standard input to one segment, and from segments to one file.

import type { Quality } from '../plan/formats.ts';
import { type FrameRate, formatFrameRate } from '../plan/frameRate.ts';
import { type Sound, soundEncoder, soundInput } from './encodeSound.ts';

/** What arrives on standard input. `i420` is already BT.709 limited range; the others are sRGB,
 * which JPEG holds as BT.601 full range. */
export type PictureInput = { pixels: 'i420' | 'rgba' | 'png' | 'jpeg'; width: number; height: number };

/** Without these, flat areas come back up to ten levels off. */
const flatColours = 'aq-mode=1:chroma-qp-offset=-4';

/**
 * What x264 is told for each quality; the figures behind it are in docs/benchmarks.md. Macroblock trees with a short
 * lookahead halve the file of a fast preset at a third of the cost of the next slower one. The number of threads is
 * fixed, because x264's output depends on it; workers are what scales. `holds`: a stream without B pictures, whose
 * pictures can be repeated without the encoder (heldPictures.ts).
 */
export const h264Settings: Record<Quality, { preset: string; crf: number; params: string; holds: boolean }> = {
  draft: {
    preset: 'ultrafast',
    crf: 24,
    params: `rc-lookahead=5:mbtree=1:cabac=1:${flatColours}:threads=1`,
    holds: true,
  },
  standard: {
    preset: 'ultrafast',
    crf: 20,
    params: `rc-lookahead=10:mbtree=1:cabac=1:subme=1:partitions=i4x4,i8x8:8x8dct=1:no-deblock=0:${flatColours}:threads=1`,
    holds: true,
  },
  high: { preset: 'medium', crf: 14, params: 'threads=4', holds: false },
};

const common = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-y'];

/** BT.709 limited range, in the stream and in the container: players guess by size where nothing is said. */
const bt709 = ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'];

/** Exact conversion of sRGB pictures; the page does its own for `i420`. */
const toBt709 = (input: PictureInput) => {
  const from = input.pixels === 'jpeg' ? ':in_color_matrix=bt601:in_range=pc' : '';
  return `scale=flags=accurate_rnd+full_chroma_int+full_chroma_inp${from}:out_color_matrix=bt709:out_range=tv,format=yuv420p`;
};

function inputArguments(input: PictureInput, rate: FrameRate): string[] {
  const fps = formatFrameRate(rate);
  if (input.pixels === 'png' || input.pixels === 'jpeg') {
    const codec = input.pixels === 'png' ? 'png' : 'mjpeg';
    return ['-f', 'image2pipe', '-c:v', codec, '-framerate', fps, '-i', 'pipe:0'];
  }
  const format = input.pixels === 'i420' ? 'yuv420p' : 'rgba';
  return [
    '-f',
    'rawvideo',
    '-pix_fmt',
    format,
    '-s',
    `${input.width}x${input.height}`,
    '-framerate',
    fps,
    '-i',
    'pipe:0',
  ];
}

/** Filters that bring the input to even size and the encoder's pixel format. */
function videoFilters(input: PictureInput): string[] {
  if (input.pixels === 'i420') return [];
  const odd = input.width % 2 === 1 || input.height % 2 === 1;
  // The browser path repeats the last row and column too: both paths give the same picture.
  const pad = odd
    ? [`pad=ceil(iw/2)*2:ceil(ih/2)*2`, `fillborders=right=${input.width % 2}:bottom=${input.height % 2}:mode=smear`]
    : [];
  return ['-vf', [...pad, toBt709(input)].join(',')];
}

/** One chunk's pictures to one H.264 segment: a bare stream where the quality holds pictures, else MP4. */
export function segmentArguments(input: PictureInput, rate: FrameRate, quality: Quality, output: string): string[] {
  const { preset, crf, params, holds } = h264Settings[quality];
  return [
    ...common,
    ...inputArguments(input, rate),
    ...videoFilters(input),
    ...['-c:v', 'libx264', '-preset', preset, '-crf', String(crf), '-x264-params', params, '-pix_fmt', 'yuv420p'],
    ...bt709,
    ...(holds ? ['-f', 'h264'] : [...timescale(rate), '-f', 'mp4']),
    output,
  ];
}

/** A time base of one frame keeps every time stamp exact, at 30000/1001 as well. */
const timescale = (rate: FrameRate) => ['-video_track_timescale', String(rate.num)];

/** Frames to numbered PNG files in `folder`, the first one numbered `start`. */
export function pngArguments(input: PictureInput, rate: FrameRate, folder: string, start: number): string[] {
  const pattern = `${folder.replaceAll('%', '%%')}/frame-%06d.png`;
  const copy = input.pixels === 'png' ? ['-c:v', 'copy'] : ['-c:v', 'png', '-compression_level', '3', '-pred', 'mixed'];
  return [...common, ...inputArguments(input, rate), ...copy, '-f', 'image2', '-start_number', String(start), pattern];
}

/**
 * Segments to one file; no picture is encoded again. `ivf` comes on standard input; others are listed, in order, in
 * `list`. The sound is encoded on the way.
 */
export function joinArguments(
  segments: { ivf: true } | { list: string },
  rate: FrameRate,
  output: string,
  sound?: Sound,
): string[] {
  const input = 'ivf' in segments ? ['-f', 'ivf', '-i', 'pipe:0'] : ['-f', 'concat', '-safe', '0', '-i', segments.list];
  return [
    ...common,
    ...input,
    ...(sound ? soundInput(sound) : []),
    ...[
      '-map',
      '0:v:0',
      '-c',
      'copy',
      ...(sound ? soundEncoder(sound) : []),
      ...timescale(rate),
      '-movflags',
      '+faststart',
      '-f',
      'mp4',
      output,
    ],
  ];
}
