// ffmpeg arguments that decode the part of a media file that a track plays, from the track's first sample.
import { type MixTrack, sampleRate } from '../plan/audio.ts';
import { mediaInput } from './ffmpeg.ts';
import type { MediaFacts } from './probeMedia.ts';

/** Headerless stereo, 32-bit floats: the format of decoded tracks and of the mix. */
export const rawSound = ['-f', 'f32le', '-ar', String(sampleRate), '-ac', '2'];

const common = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-y'];

/** Containers with exact time stamps at every position (Matroska rounds to milliseconds). Other files are read from the start. */
const seekable = /^(mov|wav)\b/;

/** Decoders need data from before the position, and index entries may be seconds apart. */
const preRollSeconds = 2;

/** For a track that does not loop. The output starts at the track's start and is not longer than the track. */
export function playArguments(track: MixTrack, facts: MediaFacts): string[] {
  const seconds = Math.floor(track.mediaStart / sampleRate) - preRollSeconds;
  const from = seekable.test(facts.container) && seconds > 0 ? seconds : 0;
  const seek = from > 0 ? ['-noaccurate_seek', '-ss', String(from)] : [];
  return [
    ...common,
    ...seek,
    ...source(track.file),
    ...filters([...toSamples(facts, from * sampleRate), ...playback(track, track.mediaStart - from * sampleRate)]),
    ...rawOutput,
  ];
}

/** Decodes the first `samples` samples of a file at its original speed, for `loopArguments`. */
export function decodeArguments(file: string, facts: MediaFacts, samples: number): string[] {
  return [
    ...common,
    ...source(file),
    ...filters([...toSamples(facts, 0), `atrim=end_sample=${samples}`]),
    ...rawOutput,
  ];
}

/** Loops over `decoded`, which contains `length` samples. */
export function loopArguments(track: MixTrack, decoded: string, length: number): string[] {
  return [
    ...common,
    ...['-stream_loop', '-1', ...rawSound, '-i', decoded],
    ...filters(playback(track, track.mediaStart % length)),
    ...rawOutput,
  ];
}

/** `-copyts`: without it, ffmpeg shifts negative time stamps to 0. */
const source = (file: string) => ['-copyts', ...mediaInput(file), '-map', '0:a:0'];

const filters = (chain: string[]) => ['-af', chain.join(',')];

const rawOutput = ['-f', 'f32le', 'pipe:1'];

/**
 * Converts to stereo at the sample rate of the mix. The first sample is the one that the file plays at sample `first`,
 * whatever the time stamp of the first packet. Gaps in the stream become silence. Channels are mixed as in browsers: mono
 * goes to both sides unchanged; center and surround channels are 3 dB quieter.
 */
function toSamples(facts: MediaFacts, first: number): string[] {
  const mono = /^(mono|1 channels)$/.test(facts.audio?.layout ?? '');
  return [
    ...(facts.start > 0 ? [`asetpts=PTS-${facts.start}/TB`] : []),
    ...(mono ? ['pan=stereo|c0=c0|c1=c0'] : []),
    `aresample=${sampleRate}:async=1:min_comp=0:first_pts=${first}:internal_sample_fmt=fltp`,
    'aformat=sample_fmts=flt:channel_layouts=stereo',
  ];
}

/** Skips `skip` samples, changes the speed without changing the pitch, and ends with the track. */
function playback({ start, end, rate }: MixTrack, skip: number): string[] {
  return [
    ...(skip > 0 ? [`atrim=start_sample=${skip}`] : []),
    ...tempoSteps(rate).map((step) => `atempo=${step}`),
    `atrim=end_sample=${end - start}`,
  ];
}

/** Splits `rate` into factors from 0.5 to 2, the range of ffmpeg's tempo filter. */
export function tempoSteps(rate: number): number[] {
  if (rate === 1) return [];
  if (rate < 0.5) return [0.5, ...tempoSteps(rate / 0.5)];
  if (rate > 2) return [2, ...tempoSteps(rate / 2)];
  return [rate];
}
