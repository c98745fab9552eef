// The audio mix of a video as plain data: the file, samples and volume of each track.
import type { FrameRate } from '../model/frameGrid.ts';
import { type SoundShape, shapeGain } from '../model/soundShape.ts';

/** One audible element of the page, as probed after scripts ran. Times are seconds of the top-level composition. */
export type AudioTrack = {
  /** For messages: `<audio id="music">`. */
  name: string;
  /** Absolute path of the media file: local, or in the cache for a remote one. */
  file: string;
  /** When it becomes audible. */
  start: number;
  /** When it becomes silent. The ends of clip, ancestors and composition are already applied. */
  end: number;
  /** Seconds into the file at `start`. */
  mediaStart: number;
  rate: number;
  /** Repeats the whole file. */
  loop: boolean;
  /** Constant, or one value per frame of the video, starting at frame 0. */
  volume: number | number[];
  shape?: TrackShape;
};

/** Fades and ducking. `start` and `end` of the sound are seconds of the video, also outside of it. */
export type TrackShape = SoundShape & { start: number; end: number };

/** Sample rate of the mix in Hz: the one of Opus, and the usual one for video. */
export const sampleRate = 48_000;

/** All times are in samples at `sampleRate`. */
export type AudioMix = {
  fps: FrameRate;
  /** Length of the video. */
  samples: number;
  tracks: MixTrack[];
  /** In LUFS; as mixed without it. */
  loudness?: number;
};

export type MixTrack = {
  name: string;
  file: string;
  /** Samples `start` to `end - 1` of the video. */
  start: number;
  end: number;
  /** Samples into the file at `start`. */
  mediaStart: number;
  rate: number;
  loop: boolean;
  volume: number | number[];
  shape?: TrackShape;
};

/** Contract, "Media attributes". */
const minRate = 0.1;
const maxRate = 5;

/** The mix of a video with `frames` frames; null if nothing is audible. */
export function audioMix(tracks: readonly AudioTrack[], frames: number, fps: FrameRate): AudioMix | null {
  const samples = Math.round((frames * fps.den * sampleRate) / fps.num);
  const heard = tracks
    .map((track) => inSamples(track, samples))
    .filter((track) => track.end > track.start && isAudible(track, fps));
  return heard.length > 0 ? { fps, samples, tracks: heard } : null;
}

/** Rounds times, not durations, so that a track that ends where another begins does so to the sample. */
function inSamples(track: AudioTrack, samples: number): MixTrack {
  const rate = clamp(track.rate, minRate, maxRate);
  const missed = Math.max(0, -track.start) * rate;
  return {
    name: track.name,
    file: track.file,
    start: clamp(toSamples(track.start), 0, samples),
    end: clamp(toSamples(track.end), 0, samples),
    mediaStart: Math.max(0, toSamples(track.mediaStart + missed)),
    rate,
    loop: track.loop,
    volume: steady(
      typeof track.volume === 'number' ? clamp(track.volume, 0, 1) : track.volume.map((v) => clamp(v, 0, 1)),
    ),
    ...(track.shape ? { shape: track.shape } : {}),
  };
}

/** Converts equal values to a constant. */
function steady(volume: number | number[]): number | number[] {
  if (typeof volume === 'number') return volume;
  const [first = 1] = volume;
  return volume.every((value) => value === first) ? first : volume;
}

function isAudible({ start, end, volume }: MixTrack, fps: FrameRate): boolean {
  if (typeof volume === 'number') return volume > 0;
  const last = volume.length - 1;
  const from = Math.min(last, Math.floor(frameOf(start, fps)));
  const to = Math.min(last, Math.floor(frameOf(end - 1, fps)) + 1);
  return volume.slice(from, to + 1).some((value) => value > 0);
}

/** The volume at a sample of the video, interpolated between frames to avoid audible steps. */
export function gainAt(volume: number | readonly number[], sample: number, fps: FrameRate): number {
  if (typeof volume === 'number') return volume;
  const last = volume.length - 1;
  const position = frameOf(sample, fps);
  const frame = Math.floor(position);
  const from = volume[Math.min(frame, last)] ?? 1;
  const to = volume[Math.min(frame + 1, last)] ?? 1;
  return from + (to - from) * (position - frame);
}

/** The volume of a track at a sample of the video, with its fades and ducking. */
export function trackGain({ volume, shape }: MixTrack, sample: number, fps: FrameRate): number {
  const gain = gainAt(volume, sample, fps);
  return shape ? gain * shapeGain(shape, shape.start, shape.end, sample / sampleRate) : gain;
}

const frameOf = (sample: number, fps: FrameRate) => (sample * fps.num) / (fps.den * sampleRate);

const toSamples = (seconds: number) => Math.round(seconds * sampleRate);

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));
