// Thumbnails: a frame of a finished video as an image file, read with ffmpeg.
import { stat } from 'node:fs/promises';
import { UserError } from '../../errors.ts';
import { common } from '../../media/encode.ts';
import { runFfmpegInto, startFfmpegStream } from '../../media/ffmpeg.ts';
import type { VideoFacts } from '../../media/probeMedia.ts';
import { isPlain } from '../../plan/plainFrame.ts';
import { choosePosterTime } from '../../plan/posterTime.ts';
import { checkSnapshotTime, posterName, readTime } from '../../plan/snapshotTimes.ts';
import { openFileOutput } from '../../project/output/outputTarget.ts';
import { type OpenVideo, openVideo, type VideoRequest } from './openVideo.ts';
import type { ThumbnailReport } from './thumbnailReport.ts';

export type ThumbnailRequest = VideoRequest & {
  /** File, .png or .jpg. */
  output: string;
  /** `2.5` seconds, frame `12f`, `50%`, or `poster` (default): the poster frame, as far as the frames show it. */
  at?: string;
  /** Maximum width or height of the image, in pixels. */
  maxSide?: number;
};

/** Throws UserError. On any failure or abort no image appears, and an earlier one stays as it was. */
export async function takeThumbnail(request: ThumbnailRequest): Promise<ThumbnailReport> {
  const { output, at = posterName, maxSide = Number.POSITIVE_INFINITY } = request;
  checkSnapshotTime(at);
  const encoder = encoderOf(output);
  const video = await openVideo(request);
  const seconds = await timeIn(video, at.trim());
  const { width, height } = scaledSize(video.facts, maxSide);
  const target = await openFileOutput(output, { signal: request.signal });
  try {
    const filters = [`scale=${width}:${height}:flags=area${encoder.colors}`, ...encoder.filters].join(',');
    const args = [...frameInput(video, seconds), '-vf', filters, ...encoder.args, 'pipe:1'];
    await runFfmpegInto(video.ffmpeg, args, target.temporary, request.signal);
    if ((await stat(target.temporary)).size === 0) throw noFrame(video.file, seconds);
    const bytes = await target.commit();
    return { output: target.path, bytes, width, height, seconds, durationSeconds: video.duration };
  } finally {
    await target.discard();
  }
}

/** JPEG stores colors as BT.601 in full range. */
function encoderOf(output: string): { colors: string; filters: string[]; args: string[] } {
  if (/\.jpe?g$/i.test(output))
    return {
      colors: ':out_color_matrix=bt601:out_range=pc',
      filters: ['format=yuvj420p'],
      args: ['-c:v', 'mjpeg', '-q:v', '3', '-f', 'mjpeg'],
    };
  if (/\.png$/i.test(output))
    return { colors: '', filters: ['format=rgb24'], args: ['-c:v', 'png', '-f', 'image2pipe'] };
  throw new UserError('usage', `The output must be a .png or .jpg file (got "${output}")`);
}

function scaledSize({ width, height, rotation }: VideoFacts, maxSide: number): { width: number; height: number } {
  const [w, h] = rotation % 180 === 0 ? [width, height] : [height, width];
  const scale = Math.min(1, maxSide / Math.max(w, h));
  return { width: Math.max(1, Math.round(w * scale)), height: Math.max(1, Math.round(h * scale)) };
}

/** In seconds, at most the start of the last frame. */
async function timeIn(video: OpenVideo, at: string): Promise<number> {
  const { duration, facts } = video;
  const frame = 1 / (facts.fps ?? 25);
  const last = Math.max(0, duration - frame);
  if (at === posterName)
    return Math.min(
      last,
      await choosePosterTime({ posterTime: null, duration }, (seconds) => isBlank(video, Math.min(last, seconds))),
    );
  const { unit, value } = readTime(at);
  return Math.min(last, unit === '%' ? (value / 100) * duration : unit === 'f' ? value * frame : value);
}

const frameInput = ({ input }: OpenVideo, seconds: number): string[] => [
  ...common,
  ...['-ss', seconds.toFixed(6), ...input, '-map', '0:v:0', '-frames:v', '1'],
];

const side = 64;

/** Whether the whole frame has one color. */
async function isBlank(video: OpenVideo, seconds: number): Promise<boolean> {
  const filters = `scale=${side}:${side}:flags=area,format=rgb24`;
  const args = [...frameInput(video, seconds), '-vf', filters, '-c:v', 'rawvideo', '-f', 'rawvideo', 'pipe:1'];
  const { output, finish } = startFfmpegStream(video.ffmpeg, args, video.signal);
  const parts: Uint8Array[] = [];
  for await (const part of output) parts.push(part);
  await finish();
  return isPlain(Buffer.concat(parts), 3);
}

const noFrame = (file: string, seconds: number): UserError =>
  new UserError('media_unreadable', `${file} has no frame at ${seconds} s`);
