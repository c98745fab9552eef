// ffmpeg arguments: from pictures on standard input to one segment, and from segments to one file.

import type { Quality } from '../plan/formats.ts';
import { type FrameRate, formatFrameRate } from '../plan/frameRate.ts';

/** What arrives on standard input. `i420` is already BT.709 limited range; the others are sRGB,
 * which JPEG holds as BT.601 full range. */
export type PictureInput = { pixels: 'i420' | 'rgba' | 'png' | 'jpeg'; width: number; height: number };

/**
 * What x264 is told for each quality; the figures behind it are in docs/benchmarks.md. Macroblock trees with a short
 * lookahead halve the file of a fast preset at a third of the cost of the next slower one. The number of threads is
 * fixed, because x264's output depends on it; workers are what scales.
 */
export const h264Settings: Record<Quality, { preset: string; crf: number; params: string }> = {
  draft: { preset: 'ultrafast', crf: 23, params: 'rc-lookahead=5:mbtree=1:cabac=1:threads=1' },
  standard: {
    preset: 'ultrafast',
    crf: 18,
    params: 'rc-lookahead=10:mbtree=1:cabac=1:bframes=3:no-deblock=0:scenecut=40:aq-mode=1:threads=1',
  },
  high: { preset: 'medium', crf: 14, params: 'threads=4' },
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

/** One chunk's pictures to one H.264 segment. */
export function segmentArguments(input: PictureInput, rate: FrameRate, quality: Quality, output: string): string[] {
  const { preset, crf, params } = h264Settings[quality];
  return [
    ...common,
    ...inputArguments(input, rate),
    ...videoFilters(input),
    ...['-c:v', 'libx264', '-preset', preset, '-crf', String(crf), '-x264-params', params, '-pix_fmt', 'yuv420p'],
    ...bt709,
    // A time base of one frame keeps every time stamp exact, at 30000/1001 as well.
    ...['-video_track_timescale', String(rate.num), '-f', 'mp4', output],
  ];
}

/** Frames to numbered PNG files in `folder`, the first one numbered `start`. */
export function pngArguments(input: PictureInput, rate: FrameRate, folder: string, start: number): string[] {
  const pattern = `${folder.replaceAll('%', '%%')}/frame-%06d.png`;
  const copy = input.pixels === 'png' ? ['-c:v', 'copy'] : ['-c:v', 'png', '-compression_level', '3', '-pred', 'mixed'];
  return [...common, ...inputArguments(input, rate), ...copy, '-f', 'image2', '-start_number', String(start), pattern];
}

/** Segments, listed in `list` in order, to one file; nothing is encoded again. */
export function concatArguments(list: string, rate: FrameRate, output: string): string[] {
  return [
    ...common,
    ...['-f', 'concat', '-safe', '0', '-i', list, '-map', '0:v:0', '-c', 'copy'],
    ...['-video_track_timescale', String(rate.num), '-movflags', '+faststart', '-f', 'mp4', output],
  ];
}
