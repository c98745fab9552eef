// ffmpeg arguments from pictures on standard input to one segment, or to numbered files.
import type { Encoding } from '../plan/formats.ts';
import type { FrameRate } from '../plan/frameRate.ts';
import { colourTags, type Encoder, encoderArguments, h264Settings } from './codecs.ts';
import { inputArguments, type PictureInput, pictureFilters } from './pictures.ts';

export const common = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-y'];

/** A time base of one frame keeps every time stamp exact, at 30000/1001 as well. */
export const timescale = (rate: FrameRate) => ['-video_track_timescale', String(rate.num)];

/**
 * What segments are kept in until they are joined. `h264` is a bare stream, whose pictures can be held; mp4, mov and nut
 * keep time stamps exactly; VP9 with alpha goes into webm alone.
 */
export type SegmentContainer = 'h264' | 'mp4' | 'mov' | 'webm' | 'nut';

export function segmentContainer({ format, codec, quality }: Encoding): SegmentContainer {
  if (codec === 'h264' && h264Settings[quality].holds) return 'h264';
  if (codec === null) return 'nut';
  if (codec === 'vp9') return 'webm';
  return format === 'mov' ? 'mov' : 'mp4';
}

/** One chunk's pictures, of which the first is frame `start` of the video, to one segment. */
export function segmentArguments(
  input: PictureInput,
  encoding: Encoding & { fps: FrameRate },
  encoder: Exclude<Encoder, 'png'>,
  start: number,
  output: string,
): string[] {
  const container = segmentContainer(encoding);
  // WebM rounds to milliseconds, and only the frame's own time in the video rounds as it will in the output.
  const shift = container === 'webm' ? start : 0;
  return [
    ...common,
    ...inputArguments(input, encoding.fps),
    ...pictureFilters(input, encoding, shift),
    ...encoderArguments(encoder, encoding),
    ...colourTags(encoding),
    ...(container === 'mp4' || container === 'mov' ? timescale(encoding.fps) : []),
    ...['-f', container, output],
  ];
}

/** Frames to numbered PNG files in `folder`, the first one numbered `start`. */
export function pngArguments(input: PictureInput, rate: FrameRate, folder: string, start: number): string[] {
  const pattern = `${folder.replaceAll('%', '%%')}/frame-%06d.png`;
  const copy = input.pixels === 'png' ? ['-c:v', 'copy'] : ['-c:v', 'png', '-compression_level', '3', '-pred', 'mixed'];
  return [...common, ...inputArguments(input, rate), ...copy, '-f', 'image2', '-start_number', String(start), pattern];
}
