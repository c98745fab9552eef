// What is in a media file, read from what ffmpeg prints about its inputs: ffprobe need not be there.
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { UserError } from '../errors.ts';
import { mediaInput } from './ffmpeg.ts';

export type VideoFacts = {
  codec: string;
  /** Pixels as they are stored, before the rotation. */
  width: number;
  height: number;
  /** As printed, to two decimals; null where the file does not say. */
  fps: number | null;
  /** Degrees clockwise that a player turns the picture by. */
  rotation: number;
  hasAlpha: boolean;
  /** Whether its light is coded for screens that are brighter than sRGB's white: PQ or HLG. */
  isHdr: boolean;
};

export type SoundFacts = {
  codec: string;
  /** ffmpeg's name of the channels: `mono`, `stereo`, `5.1(side)`, `3 channels`. */
  layout: string;
};

export type MediaFacts = {
  /** ffmpeg's names of the container: `mov,mp4,m4a,3gp,3g2,mj2`. */
  container: string;
  /** Seconds, to a hundredth; null where the file does not say. */
  duration: number | null;
  /** Time stamp that the file begins with, in seconds: below 0 where a decoder needs a run-up. */
  start: number;
  video: VideoFacts | null;
  audio: SoundFacts | null;
};

/** Throws UserError `media_unreadable`, which names the file. */
export async function probeMedia(ffmpeg: string, file: string, signal?: AbortSignal): Promise<MediaFacts> {
  const text = await describeInput(ffmpeg, file, signal);
  const facts = parseMedia(text);
  if (facts) return facts;
  const size = await stat(file).then(
    (stats) => stats.size,
    () => undefined,
  );
  throw new UserError('media_unreadable', `${file} ${size === 0 ? 'is empty' : `cannot be read: ${reason(text)}`}`, {
    hint: 'Check that the file plays, or convert it: ffmpeg -i <file> <new file>.mp4',
  });
}

/** ffmpeg describes its inputs on standard error, then ends with a failure because it was given nothing to do. */
function describeInput(ffmpeg: string, file: string, signal?: AbortSignal): Promise<string> {
  const options = { maxBuffer: 1 << 24, windowsHide: true, ...(signal ? { signal } : {}) };
  return new Promise((resolve, reject) => {
    execFile(ffmpeg, ['-hide_banner', '-nostdin', ...mediaInput(file)], options, (error, _, stderr) => {
      if (error && typeof error.code !== 'number') reject(signal?.aborted ? signal.reason : error);
      else resolve(stderr);
    });
  });
}

const reason = (text: string) => text.trim().split('\n').at(-1)?.replace(/^.*: /, '') || 'ffmpeg says nothing about it';

/** Reads the description of the first input; null when there is none. */
export function parseMedia(text: string): MediaFacts | null {
  const container = /^Input #0, (.+), from '/m.exec(text)?.[1];
  if (container === undefined) return null;
  // One piece a stream: its line, and what is indented below it.
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

/** The picture of a song: a still image without a frame rate. Old versions say no more about it. */
const isCover = (stream: string) => /^[^\n]*: Video: (mjpeg|png|bmp)\b(?!.* fps\b)/.test(stream);

function parseDuration(text: string): number | null {
  const [, hours, minutes, seconds] = /^ +Duration: (\d+):(\d+):([\d.]+)/m.exec(text) ?? [];
  if (seconds === undefined) return null;
  // Whole hundredths, so that 1:00.01 is 60.01 and not the nearest sum.
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 100) / 100;
}

function parseVideo(stream: string): VideoFacts | null {
  const [, codec = '', width, height] = /: Video: (\w+).*?, (\d+)x(\d+)\b/.exec(stream) ?? [];
  if (height === undefined) return null;
  const fps = /, ([\d.]+)(k?) fps\b/.exec(stream);
  // `yuva444p12le(tv, bt709)`: the pixels, behind the codec and its tags.
  const [, pixels = '', colours = ''] = /: Video: [^,]*?, ?(\w+)(?:\(([^)]*)\))?/.exec(stream) ?? [];
  const turned = Number(/displaymatrix: rotation of (-?[\d.]+) degrees/.exec(stream)?.[1] ?? 0);
  return {
    codec,
    width: Number(width),
    height: Number(height),
    fps: fps ? Number(fps[1]) * (fps[2] === 'k' ? 1000 : 1) : null,
    // The matrix turns the other way round than people say it.
    rotation: ((-Math.round(turned) % 360) + 360) % 360,
    hasAlpha: /^(?:yuva|gbrap|ya\d|rgba|bgra|argb|abgr)/.test(pixels),
    isHdr: /smpte2084|arib-std-b67/.test(colours),
  };
}

function parseSound(stream: string): SoundFacts {
  const [, codec = '', layout = ''] = /: Audio: (\w+).*? Hz, ([^,\n]+)/.exec(stream) ?? [];
  return { codec, layout };
}
