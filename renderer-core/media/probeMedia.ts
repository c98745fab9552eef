// Reads the properties of a media file from ffmpeg's description of its inputs, because ffprobe may not be installed.

import { execFile } from 'node:child_process';
import { UserError } from '../errors.ts';
import { statIfExists } from '../project/statIfExists.ts';
import { type Ffmpeg, ffmpegCommand, mediaInput } from './ffmpeg.ts';

export type VideoFacts = {
  codec: string;
  /** In pixels, as stored, before the rotation. */
  width: number;
  height: number;
  /** The rate with two decimals, as ffmpeg prints it; null if the file does not specify it. */
  fps: number | null;
  /** Degrees clockwise by which players rotate the video. */
  rotation: number;
  hasAlpha: boolean;
  /** Whether its pixels are red, green and blue, as those of a GIF. */
  isRgb: boolean;
  /** Whether the transfer function is PQ or HLG. */
  isHdr: boolean;
};

export type SoundFacts = {
  codec: string;
  /** The channel layout, in ffmpeg's words: `mono`, `stereo`, `5.1(side)`, `3 channels`. */
  layout: string;
};

export type MediaFacts = {
  /** The container, as ffmpeg names it: `mov,mp4,m4a,3gp,3g2,mj2`. */
  container: string;
  /** In seconds, with two decimals; null if the file does not specify it. */
  duration: number | null;
  /** The first time stamp in seconds. Negative if the decoder needs data from before the start. */
  start: number;
  video: VideoFacts | null;
  audio: SoundFacts | null;
};

/** `input`: the arguments for the file. Throws UserError `media_unreadable` with the file's path. */
export async function probeMedia(
  ffmpeg: Ffmpeg,
  file: string,
  signal?: AbortSignal,
  input = mediaInput(file),
): Promise<MediaFacts> {
  const text = await describeInput(ffmpeg, input, signal);
  const facts = parseMedia(text);
  if (facts) return facts;
  const size = (await statIfExists(file))?.size;
  throw new UserError('media_unreadable', `${file} ${size === 0 ? 'is empty' : `cannot be read: ${reason(text)}`}`, {
    hint: 'Check that the file plays in a media player, or convert it: ffmpeg -i <file> <new file>.mp4',
  });
}

/** ffmpeg describes its inputs on standard error, then fails because it has no output. */
function describeInput({ path, env }: Ffmpeg, input: string[], signal?: AbortSignal): Promise<string> {
  const options = { maxBuffer: 1 << 24, env, windowsHide: true, ...(signal ? { signal } : {}) };
  return new Promise((resolve, reject) => {
    const command = ffmpegCommand(path, ['-hide_banner', '-nostdin', ...input]);
    execFile(...command, options, (error, _, stderr) => {
      if (error && typeof error.code !== 'number') reject(signal?.aborted ? signal.reason : error);
      else resolve(stderr);
    });
  });
}

const reason = (text: string) => text.trim().split('\n').at(-1)?.replace(/^.*: /, '') || 'ffmpeg gives no reason';

/** Parses the description of the first input; null if there is none. */
export function parseMedia(text: string): MediaFacts | null {
  const container = /^Input #0, (.+), from '/m.exec(text)?.[1];
  if (container === undefined) return null;
  // One part per stream: its line, and the indented lines below it.
  const streams = text.split(/^ +Stream #0:/m).slice(1);
  const video = streams.find((stream) => /^[^\n]*: Video: /.test(stream) && !isCover(stream));
  const audio = streams.find((stream) => /^[^\n]*: Audio: /.test(stream));
  return {
    container,
    duration: parseDuration(text),
    start: Number(/^ +Duration: .*, start: (-?[\d.]+)/m.exec(text)?.[1] ?? 0),
    video: video === undefined ? null : parseVideo(video),
    audio: audio === undefined ? null : parseSound(audio),
  };
}

/** The cover image of an audio file: a still image without a frame rate. Old versions of ffmpeg do not mark it otherwise. */
const isCover = (stream: string) => /^[^\n]*: Video: (mjpeg|png|bmp)\b(?!.* fps\b)/.test(stream);

function parseDuration(text: string): number | null {
  const [, hours, minutes, seconds] = /^ +Duration: (\d+):(\d+):([\d.]+)/m.exec(text) ?? [];
  if (seconds === undefined) return null;
  // Computed in hundredths, so that 1:00.01 becomes exactly 60.01.
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 100) / 100;
}

function parseVideo(stream: string): VideoFacts | null {
  const [, codec = '', width, height] = /: Video: (\w+).*?, (\d+)x(\d+)\b/.exec(stream) ?? [];
  if (height === undefined) return null;
  const fps = /, ([\d.]+)(k?) fps\b/.exec(stream);
  // The pixel format follows the codec and its tags: `yuva444p12le(tv, bt709)`.
  const [, pixels = '', colors = ''] = /: Video: [^,]*?, ?(\w+)(?:\(([^)]*)\))?/.exec(stream) ?? [];
  const turned = Number(/displaymatrix: rotation of (-?[\d.]+) degrees/.exec(stream)?.[1] ?? 0);
  return {
    codec,
    width: Number(width),
    height: Number(height),
    fps: fps ? Number(fps[1]) * (fps[2] === 'k' ? 1000 : 1) : null,
    // ffmpeg counts counterclockwise.
    rotation: ((-Math.round(turned) % 360) + 360) % 360,
    hasAlpha: /^(?:yuva|gbrap|ya\d|rgba|bgra|argb|abgr)/.test(pixels),
    isRgb: /^(?:pal8|gbr|gray|rgb|bgr|[01a]rgb|[01a]bgr)/.test(pixels),
    isHdr: /smpte2084|arib-std-b67/.test(colors),
  };
}

function parseSound(stream: string): SoundFacts {
  const [, codec = '', layout = ''] = /: Audio: (\w+).*? Hz, ([^,\n]+)/.exec(stream) ?? [];
  return { codec, layout };
}
