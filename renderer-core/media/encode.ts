// ffmpeg arguments that encode frames from standard input to a segment or to numbered PNG files.
import type { FrameRate } from '../model/frameGrid.ts';
import { hlsKeyFrameInterval } from '../plan/hls.ts';
import type { Encoding } from '../plan/renderPlan.ts';
import { colorTags, type Encoder, encoderArguments, h264Settings } from './codecs.ts';
import { type FrameInput, frameFilters, inputArguments } from './frameFormat.ts';

export const common = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-y'];

/** With this timescale all time stamps are exact, at rates such as 30000/1001 too. */
export const timescale = (rate: FrameRate) => ['-video_track_timescale', String(rate.num)];

/**
 * The container of segments until they are joined. `h264` is a bare stream, into which repeated frames can be inserted;
 * mp4, mov and nut keep time stamps exactly; only webm holds VP9 with alpha.
 */
export type SegmentContainer = 'h264' | 'mp4' | 'mov' | 'webm' | 'nut';

export function segmentContainer({ format, codec, quality }: Encoding): SegmentContainer {
  // Frames that are inserted would move the key frames of a stream apart.
  if (format === 'hls') return 'mp4';
  if (codec === 'h264' && h264Settings[quality].skipsRepeats) return 'h264';
  if (codec === null) return 'nut';
  if (codec === 'vp9') return 'webm';
  return format === 'mov' ? 'mov' : 'mp4';
}

/** Arguments that encode the frames of one chunk to `output`. `start` is the number of its first frame in the video. */
export function segmentArguments(
  input: FrameInput,
  encoding: Encoding & { fps: FrameRate },
  encoder: Exclude<Encoder, 'png'>,
  start: number,
  output: string,
): string[] {
  const container = segmentContainer(encoding);
  // WebM rounds times to milliseconds. Times in the segment are those in the video, so that they round the same way.
  const shift = container === 'webm' ? start : 0;
  return [
    ...common,
    ...inputArguments(input, encoding.fps),
    ...frameFilters(input, encoding, shift),
    ...encoderArguments(encoder, encoding),
    ...(encoding.format === 'hls' ? ['-g', String(hlsKeyFrameInterval(encoding.fps))] : []),
    ...colorTags(encoding),
    ...(container === 'mp4' || container === 'mov' ? timescale(encoding.fps) : []),
    ...['-f', container, output],
  ];
}

/** The file that `pngArguments` makes ffmpeg write. */
export const framePath = (folder: string, frame: number): string =>
  `${folder}/frame-${String(frame).padStart(6, '0')}.png`;

/** Arguments that write frames to numbered PNG files in `folder`. The first file has the number `start`. */
export function pngArguments(input: FrameInput, rate: FrameRate, folder: string, start: number): string[] {
  const pattern = `${folder.replaceAll('%', '%%')}/frame-%06d.png`;
  const copy = input.pixels === 'png' ? ['-c:v', 'copy'] : ['-c:v', 'png', '-compression_level', '3', '-pred', 'mixed'];
  return [...common, ...inputArguments(input, rate), ...copy, '-f', 'image2', '-start_number', String(start), pattern];
}
