// Loudness by ITU-R BS.1770 and EBU R 128, and true peaks, of raw stereo sound.
import { open } from 'node:fs/promises';
import { sampleRate } from '../plan/audio.ts';
import { pieces, readSound, soundLength } from './soundFile.ts';

/** `loudness`: integrated, in LUFS; `truePeak`: in dBTP. Null for silence. */
export type Loudness = { loudness: number | null; truePeak: number | null };

/** A filter of second order, with the state of one channel. */
type Filter = { b: readonly [number, number, number]; a: readonly [number, number]; state: [number, number] };

/** The two filters of BS.1770, for 48 kHz: the effect of the head, and less low frequencies. */
const createFilters = (): Filter[] => [
  {
    b: [1.53512485958697, -2.69169618940638, 1.19839281085285],
    a: [-1.69065929318241, 0.73248077421585],
    state: [0, 0],
  },
  { b: [1, -2, 1], a: [-1.99004745483398, 0.99007225036621], state: [0, 0] },
];

function filtered(value: number, filters: readonly Filter[]): number {
  let result = value;
  for (const { b, a, state } of filters) {
    const out = b[0] * result + state[0];
    state[0] = b[1] * result - a[0] * out + state[1];
    state[1] = b[2] * result - a[1] * out;
    result = out;
  }
  return result;
}

/** Blocks of 400 ms overlap by three quarters. */
const stepSamples = sampleRate / 10;
const stepsOfBlock = 4;

const absoluteGate = -70;
const relativeGate = -10;

const loudnessOf = (power: number): number => -0.691 + 10 * Math.log10(power);

/** The powers of 100 ms each, with both channels, as gated blocks. */
export function integratedLoudness(steps: readonly number[]): number | null {
  const blocks: number[] = [];
  for (let at = 0; at + stepsOfBlock <= steps.length; at++) blocks.push(mean(steps.slice(at, at + stepsOfBlock)));
  // A sound that is shorter than one block.
  if (blocks.length === 0 && steps.length > 0) blocks.push(mean(steps));
  const loud = blocks.filter((power) => loudnessOf(power) > absoluteGate);
  if (loud.length === 0) return null;
  const gate = loudnessOf(mean(loud)) + relativeGate;
  return loudnessOf(mean(loud.filter((power) => loudnessOf(power) > gate)));
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Values between two samples: a windowed sinc of 12 samples at quarters. */
const reach = 6;
const phases = [0.25, 0.5, 0.75].map((shift) =>
  Array.from({ length: 2 * reach }, (_, tap) => {
    const x = tap - (reach - 1) - shift;
    const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / reach);
    return window * (Math.sin(Math.PI * x) / (Math.PI * x));
  }),
);
/** An interpolated value is at most this many times the largest of its samples. */
const mostGain = Math.max(...phases.map((taps) => taps.reduce((sum, tap) => sum + Math.abs(tap), 0)));

/** The largest value between the samples of one channel, if it is larger than `peak`. */
function peakBetween(sound: Float32Array, channel: number, peak: number): number {
  const frames = sound.length / 2;
  let largest = peak;
  for (let frame = 0; frame < frames; frame++) {
    const value = Math.abs(sound[2 * frame + channel] ?? 0);
    if (value > largest) largest = value;
    // Interpolated values are only larger near large samples.
    if (value * mostGain < largest) continue;
    for (const taps of phases) {
      let sum = 0;
      for (const [tap, factor] of taps.entries()) sum += factor * (sound[2 * (frame + tap - reach + 1) + channel] ?? 0);
      if (Math.abs(sum) > largest) largest = Math.abs(sum);
    }
  }
  return largest;
}

/** Reads the sound of a file from a sample on, in pieces, so that memory does not depend on its length. */
export async function measureLoudness(path: string, signal: AbortSignal, start = 0): Promise<Loudness> {
  const file = await open(path);
  try {
    const filters = [createFilters(), createFilters()];
    const steps: number[] = [];
    let peak = 0;
    let power = 0;
    let count = 0;
    for (const { from, to } of pieces(start, await soundLength(file))) {
      signal.throwIfAborted();
      const sound = await readSound(file, from, to);
      for (const channel of [0, 1]) peak = peakBetween(sound, channel, peak);
      for (let at = 0; at < sound.length; at += 2) {
        for (const channel of [0, 1]) power += filtered(sound[at + channel] ?? 0, filters[channel] ?? []) ** 2;
        if (++count < stepSamples) continue;
        steps.push(power / stepSamples);
        [power, count] = [0, 0];
      }
    }
    if (steps.length === 0 && count > 0) steps.push(power / count);
    return { loudness: integratedLoudness(steps), truePeak: peak === 0 ? null : 20 * Math.log10(peak) };
  } finally {
    await file.close();
  }
}
