// ffmpeg arguments: the part of a media file that a track plays, as samples from the track's first one on.
import { type MixTrack, sampleRate } from '../plan/audio.ts';
import { mediaInput } from './ffmpeg.ts';
import type { MediaFacts } from './probe.ts';

/** Two channels of 32-bit floats and nothing around them: what is mixed, and what the mix is written as. */
export const rawSound = ['-f', 'f32le', '-ar', String(sampleRate), '-ac', '2'];

const common = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-y'];

/** Formats whose time stamps are exact in the middle too; Matroska's are whole milliseconds. The others are read from the start. */
const seekable = /^(mov|wav)\b/;

/** Decoders need some of what comes before, and index entries may be seconds apart. */
const runUpSeconds = 2;

/** A file that does not loop: what sounds at the track's start comes first; no more samples than the track is long. */
export function playArguments(track: MixTrack, facts: MediaFacts, output: string): string[] {
  const seconds = Math.floor(track.mediaStart / sampleRate) - runUpSeconds;
  const from = seekable.test(facts.container) && seconds > 0 ? seconds : 0;
  const seek = from > 0 ? ['-noaccurate_seek', '-ss', String(from)] : [];
  return [
    ...common,
    ...seek,
    ...source(track.file),
    ...filters([...toSamples(facts, from * sampleRate), ...playback(track, track.mediaStart - from * sampleRate)]),
    ...rawOutput(output),
  ];
}

/** The first `samples` samples of a file at its own speed, for `loopArguments`. */
export function decodeArguments(file: string, facts: MediaFacts, samples: number, output: string): string[] {
  return [
    ...common,
    ...source(file),
    ...filters([...toSamples(facts, 0), `atrim=end_sample=${samples}`]),
    ...rawOutput(output),
  ];
}

/** A loop over `decoded`, which holds `length` samples. */
export function loopArguments(track: MixTrack, decoded: string, length: number, output: string): string[] {
  return [
    ...common,
    ...['-stream_loop', '-1', ...rawSound, '-i', decoded],
    ...filters(playback(track, track.mediaStart % length)),
    ...rawOutput(output),
  ];
}

/** The file's own time stamps: ffmpeg would shift those that begin below 0 to begin at 0. */
const source = (file: string) => ['-copyts', ...mediaInput(file), '-map', '0:a:0'];

const filters = (chain: string[]) => ['-af', chain.join(',')];

const rawOutput = (output: string) => ['-f', 'f32le', output];

/**
 * Stereo at the rate of the mix; its first sample is the one that the file plays at `first`, whatever the time stamp of
 * the first packet. Holes in the stream are kept as silence. Channels are mixed as browsers do: one goes to both
 * sides unchanged, centre and surround of more come 3 dB lower.
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

/** Skips, changes the speed and keeps the pitch, ends with the track. */
function playback({ start, end, rate }: MixTrack, skip: number): string[] {
  return [
    ...(skip > 0 ? [`atrim=start_sample=${skip}`] : []),
    ...tempoSteps(rate).map((step) => `atempo=${step}`),
    `atrim=end_sample=${end - start}`,
  ];
}

/** Factors that ffmpeg's tempo filter takes, 0.5 to 2, which together make `rate`. */
export function tempoSteps(rate: number): number[] {
  if (rate === 1) return [];
  if (rate < 0.5) return [0.5, ...tempoSteps(rate / 0.5)];
  if (rate > 2) return [2, ...tempoSteps(rate / 2)];
  return [rate];
}
