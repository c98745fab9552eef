// ffmpeg arguments that decode the parts of media files that tracks play, and change their speed.
import { sampleRate } from '../plan/audio.ts';
import { mediaInput } from './ffmpeg.ts';
import type { MediaFacts } from './probeMedia.ts';

/** Headerless stereo, 32-bit floats: the format of decoded tracks and of the mix. */
export const rawSound = ['-f', 'f32le', '-ar', String(sampleRate), '-ac', '2'];

const common = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-y'];

/** Containers with exact time stamps at every position (Matroska rounds to milliseconds). Other files are read from the start. */
export const isSeekable = ({ container }: MediaFacts): boolean => /^(mov|wav)\b/.test(container);

/** Samples `first` to `end - 1`. */
export type SampleRange = { first: number; end: number };

/** Decoders need data from before the position, and index entries may be seconds apart. */
const preRollSeconds = 2;

/** Decodes samples `first` to `end - 1` of a file. The output is shorter if the file ends before. */
export function decodeArguments(file: string, facts: MediaFacts, { first, end }: SampleRange): string[] {
  const seconds = Math.floor(first / sampleRate) - preRollSeconds;
  const from = isSeekable(facts) && seconds > 0 ? seconds : 0;
  const seek = from > 0 ? ['-noaccurate_seek', '-ss', String(from)] : [];
  const skip = first - from * sampleRate;
  const cut = [...(skip > 0 ? [`atrim=start_sample=${skip}`] : []), `atrim=end_sample=${end - first}`];
  const chain = [...toSamples(facts, from * sampleRate), ...cut].join(',');
  return [...common, ...seek, ...source(file), '-af', chain, ...rawOutput];
}

/** Part of a decoded file, at another speed. */
export type Stretch = { rate: number; loop: boolean; from: number; length: number };

/**
 * Plays parts of `decoded`, which has `length` samples, at their speeds without changing the pitch. The output has the parts
 * one after the other, each filled up with silence. One process does all, because starting one takes longer than a short part.
 */
export function stretchArguments(decoded: string, length: number, parts: readonly Stretch[]): string[] {
  const repeat = parts.some(({ loop }) => loop) ? ['-stream_loop', '-1'] : [];
  const names = (prefix: string) => parts.map((_, index) => `[${prefix}${index}]`).join('');
  const chains = parts.map(({ rate, loop, from, length: wanted }, index) => {
    const end = loop ? '' : `:end_sample=${length}`;
    const tempo = tempoSteps(rate).map((step) => `atempo=${step}`);
    const whole = [`atrim=end_sample=${wanted}`, `apad=whole_len=${wanted}`];
    return `[i${index}]${[`atrim=start_sample=${from}${end}`, 'asetpts=PTS-STARTPTS', ...tempo, ...whole].join(',')}[o${index}]`;
  });
  const graph = [
    `[0:a]asplit=${parts.length}${names('i')}`,
    ...chains,
    `${names('o')}concat=n=${parts.length}:v=0:a=1`,
  ].join(';');
  return [...common, ...repeat, ...rawSound, '-i', decoded, '-filter_complex', graph, ...rawOutput];
}

/** `-copyts`: without it, ffmpeg shifts negative time stamps to 0. */
const source = (file: string) => ['-copyts', ...mediaInput(file), '-map', '0:a:0'];

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

/** Splits `rate` into factors from 0.5 to 2, the range of ffmpeg's tempo filter. */
function tempoSteps(rate: number): number[] {
  if (rate === 1) return [];
  if (rate < 0.5) return [0.5, ...tempoSteps(rate / 0.5)];
  if (rate > 2) return [2, ...tempoSteps(rate / 2)];
  return [rate];
}
