// How the volume of a sound changes over time by its attributes: fades, and ducking under other sounds. Bundled into the page.
import { parseNumber } from './variables/fields.ts';

/** While another sound is heard, from `start` to `end`, this one has `gain`. Times are seconds; `end` is null at the end. */
export type Duck = { start: number; end: number | null; gain: number; attack: number; release: number };

/** `fadeIn` and `fadeOut` are seconds after the start and before the end of the sound. */
export type SoundShape = { fadeIn: number; fadeOut: number; ducks: readonly Duck[] };

/** `target`: the id of a clip, or the number of a track. */
export type DuckSpec = Pick<Duck, 'gain' | 'attack' | 'release'> & { target: string };

const defaults = { decibels: -12, attack: 0.3, release: 0.8 };

/** Reads `voice`, `voice -18`, or `voice -18 0.2 1`: target, decibels, seconds before and after. Null for anything else. */
export function parseDuck(text: string): DuckSpec | null {
  const [target = '', ...rest] = text.trim().split(/\s+/);
  const numbers = rest.map(parseNumber);
  const [decibels = defaults.decibels, attack = defaults.attack, release = defaults.release] = numbers;
  if (target === '' || numbers.length > 3 || decibels === null || attack === null || release === null) return null;
  if (decibels > 0 || decibels < -60 || attack < 0 || release < 0) return null;
  return { target, gain: 10 ** (decibels / 20), attack, release };
}

/** The factor of the volume at a time, for a sound from `start` to `end`. */
export function shapeGain({ fadeIn, fadeOut, ducks }: SoundShape, start: number, end: number, seconds: number): number {
  const rising = fadeIn > 0 ? (seconds - start) / fadeIn : 1;
  const falling = fadeOut > 0 ? (end - seconds) / fadeOut : 1;
  const faded = Math.min(1, Math.max(0, rising)) * Math.min(1, Math.max(0, falling));
  // Several sounds at the same time do not make it quieter than the one that makes it quietest.
  return ducks.reduce((lowest, duck) => Math.min(lowest, duckGain(duck, seconds)), 1) * faded;
}

function duckGain({ start, end, gain, attack, release }: Duck, seconds: number): number {
  const last = end ?? Number.POSITIVE_INFINITY;
  const before = start - seconds;
  const after = seconds - last;
  if (before <= 0 && after <= 0) return gain;
  const [distance, length] = before > 0 ? [before, attack] : [after, release];
  return distance >= length ? 1 : gain + (1 - gain) * (distance / length);
}
