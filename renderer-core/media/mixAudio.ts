// Mixes the audio tracks of a video into one file of raw sound that is exactly as long as the video.

import { type FileHandle, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pLimit from 'p-limit';
import { UserError } from '../errors.ts';
import { type AudioMix, type MixTrack, sampleRate, trackGain } from '../plan/audio.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { limit, lookaheadSamples, withoutContext } from './limiter.ts';
import { measureLoudness } from './loudness.ts';
import { type DecodedPart, decodePart, type PlayedPart, type PlayedSound, playedParts } from './playedSounds.ts';
import { probeMedia } from './probeMedia.ts';
import { frameBytes, pieces, readSound, writeSound } from './soundFile.ts';

export type MixedAudio = {
  /** Raw sound (`rawSound`) for `joinSegments`; null when no track has sound. */
  file: string | null;
  /** Whether the sum was louder than a file can store, and was made quieter there. */
  isLimited: boolean;
  warnings: string[];
};

export type MixOptions = {
  /** Gets the share that is done, from 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
};

/** Files that are read at the same time. */
const decoders = 4;

/**
 * ffmpeg decodes each file once, and changes speeds. Positions, loops, volumes and the sum are computed here, because they
 * differ between versions of ffmpeg. `folder` contains only the mix and a few decoded parts at a time. The parts are added
 * in a fixed order, because the order changes the last bit of a sum. Throws UserError `media_unreadable`.
 */
export async function mixAudio(
  ffmpeg: Ffmpeg,
  mix: AudioMix,
  folder: string,
  { onProgress, signal }: MixOptions = {},
): Promise<MixedAudio> {
  const path = join(folder, 'mix.f32');
  const sum = await open(path, 'w+');
  try {
    await sum.truncate(mix.samples * frameBytes);
    const facts = await probeFiles(ffmpeg, mix, signal);
    const parts = [...facts].flatMap(([file, { tracks, facts }]) =>
      facts.audio ? playedParts(file, tracks, facts) : [],
    );
    const done = countSamples(parts, onProgress);
    const decode = (part: PlayedPart, index: number): Promise<DecodedPart> =>
      namingTrack(part, () =>
        decodePart(part, { ffmpeg, folder: join(folder, `part-${index}`), onSamples: done, signal }),
      );
    const heard = new Set<MixTrack>();
    await inOrder(parts, decode, async ({ sounds }) => {
      for (const { track } of sounds) heard.add(track);
      await addSounds(sum, mix, sounds, done);
    });
    const warnings = mix.tracks
      .filter((track) => !heard.has(track))
      .map((track) => silenceWarning(track, facts.get(track.file)?.facts.audio != null));
    if (heard.size === 0) return { file: null, isLimited: false, warnings };
    const target = join(folder, 'limited.f32');
    if (mix.loudness !== undefined) {
      const file = await writeAtLoudness({ sum, path, target, samples: mix.samples }, mix.loudness, signal);
      return { isLimited: false, file, warnings };
    }
    const limits = await hasLoudPiece(sum, mix.samples);
    return { isLimited: limits, file: limits ? await writeLimited(sum, mix.samples, target) : path, warnings };
  } finally {
    await sum.close();
  }
}

function silenceWarning(track: MixTrack, hasSound: boolean): string {
  const problem = hasSound
    ? `has no audio at ${track.mediaStart / sampleRate} s, where the clip starts`
    : 'has no audio stream';
  return `No audio for ${track.name}: ${basename(track.file)} ${problem}`;
}

/** The files with their tracks, in the order of their first tracks. */
async function probeFiles(ffmpeg: Ffmpeg, mix: AudioMix, signal: AbortSignal | undefined) {
  const byFile = new Map<string, MixTrack[]>();
  for (const track of mix.tracks) {
    const tracks = byFile.get(track.file);
    if (tracks) tracks.push(track);
    else byFile.set(track.file, [track]);
  }
  const limit = pLimit(decoders);
  const probed = await limit.map([...byFile], async ([file, tracks]) => {
    const facts = await namingTrack({ file, tracks }, () => probeMedia(ffmpeg, file, signal));
    return [file, { tracks, facts }] as const;
  });
  return new Map(probed);
}

/** Decodes a few parts at a time, and uses one after the other. */
async function inOrder(
  parts: readonly PlayedPart[],
  decode: (part: PlayedPart, index: number) => Promise<DecodedPart>,
  use: (decoded: DecodedPart) => Promise<void>,
): Promise<void> {
  const ahead: Promise<DecodedPart>[] = [];
  const waiting = [...parts.entries()];
  try {
    for (;;) {
      for (const [index, part] of waiting.splice(0, decoders - ahead.length)) {
        const decoding = decode(part, index);
        // It may fail before its turn.
        decoding.catch(() => undefined);
        ahead.push(decoding);
      }
      const decoded = await ahead[0];
      if (!decoded) return;
      await use(decoded);
      await ahead.shift();
      await decoded.close();
    }
  } finally {
    for (const rest of await Promise.allSettled(ahead)) if (rest.status === 'fulfilled') await rest.value.close();
  }
}

/** Returns a function that counts decoded and mixed samples, and reports the share of them. */
function countSamples(parts: readonly PlayedPart[], onProgress: MixOptions['onProgress']) {
  const played = parts.flatMap(({ tracks }) => tracks).reduce((sum, { start, end }) => sum + end - start, 0);
  const total = parts.reduce((sum, { first, end }) => sum + end - first, played);
  let done = 0;
  return (samples: number): void => {
    done += samples;
    onProgress?.(Math.min(1, done / total));
  };
}

/** Runs `work` and adds the name of the first track to its errors. */
async function namingTrack<T>(
  { file, tracks: [track] }: Pick<PlayedPart, 'file' | 'tracks'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UserError) || !/^(media_unreadable|ffmpeg_failed)$/.test(error.code)) throw error;
    const message = error.message.replace(`${file} `, '');
    throw new UserError('media_unreadable', `cannot read the sound of ${track?.name ?? ''}, ${file}: ${message}`, {
      hint: error.hint ?? 'Check that the file plays in a media player.',
      cause: error,
    });
  }
}

/** Adds the sounds of a part. */
async function addSounds(
  sum: FileHandle,
  mix: AudioMix,
  sounds: readonly PlayedSound[],
  done: (samples: number) => void,
): Promise<void> {
  const start = Math.min(...sounds.map(({ track }) => track.start));
  const end = Math.max(...sounds.map(({ track }) => track.end));
  for (const { from, to } of pieces(start, end)) {
    const heard = sounds.filter(({ track }) => track.start < to && track.end > from);
    if (heard.length === 0) continue;
    const total = await readSound(sum, from, to);
    for (const { track, read } of heard) {
      const [first, last] = [Math.max(from, track.start), Math.min(to, track.end)];
      const sound = await read(first - track.start, last - track.start);
      addSound(total.subarray(2 * (first - from)), sound, (index) => trackGain(track, first + index, mix.fps));
      done(last - first);
    }
    await writeSound(sum, from, total);
  }
}

function addSound(total: Float32Array, sound: Float32Array, gainOf: (index: number) => number): void {
  for (let index = 0; index < sound.length; index += 2) {
    const gain = gainOf(index / 2);
    total[index] = (total[index] ?? 0) + (sound[index] ?? 0) * gain;
    total[index + 1] = (total[index + 1] ?? 0) + (sound[index + 1] ?? 0) * gain;
  }
}

/** Whether a value is larger than a file can store. */
const isLoud = (sound: Float32Array): boolean => sound.some((value) => value > 1 || value < -1);

async function hasLoudPiece(sum: FileHandle, samples: number): Promise<boolean> {
  for (const { from, to } of pieces(0, samples)) if (isLoud(await readSound(sum, from, to))) return true;
  return false;
}

/** Multiplies by `gain`, and limits values to `ceiling`. */
async function writeLimited(
  sum: FileHandle,
  samples: number,
  path: string,
  { gain, ceiling }: { gain: number; ceiling: number } = { gain: 1, ceiling: 1 },
): Promise<string> {
  await withFile(path, 'w', async (limited) => {
    for (const { from, to } of pieces(0, samples)) {
      const read = await readSound(sum, from - 2 * lookaheadSamples, to + 2 * lookaheadSamples);
      const sound = read.map((value) => value * (gain / ceiling));
      const quiet = isLoud(sound) ? limit(sound) : withoutContext(sound);
      await writeSound(
        limited,
        from,
        quiet.map((value) => value * ceiling),
      );
    }
  });
  return path;
}

/** In dBTP. What encoders add stays below full scale. */
const mostPeak = -1;
/** Values between limited samples are higher than these, but not much. */
const attempts = 3;

const factorOf = (decibels: number): number => 10 ** (decibels / 20);

/** Returns the path of the sound at a loudness in LUFS; of the mix itself if it is silent. */
async function writeAtLoudness(
  { sum, path, target, samples }: { sum: FileHandle; path: string; target: string; samples: number },
  loudness: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<string> {
  const mixed = await measureLoudness(path, signal);
  if (mixed.loudness === null) return path;
  const gain = factorOf(loudness - mixed.loudness);
  let ceiling = factorOf(mostPeak);
  for (let attempt = 0; attempt < attempts; attempt++) {
    await writeLimited(sum, samples, target, { gain, ceiling });
    const { truePeak } = await measureLoudness(target, signal);
    if (truePeak === null || truePeak <= mostPeak) break;
    ceiling *= factorOf(mostPeak - truePeak);
  }
  return target;
}

async function withFile<T>(path: string, flags: 'r' | 'w', use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}
