// Mixes the audio tracks of a video into one file of raw sound that is exactly as long as the video.

import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { UserError } from '../errors.ts';
import { type AudioMix, gainAt, type MixTrack, sampleRate } from '../plan/audio.ts';
import { runFfmpegInto } from './ffmpeg.ts';
import { limit, lookaheadSamples } from './limiter.ts';
import { type MediaFacts, probeMedia } from './probeMedia.ts';
import { frameBytes, pieces, readSound, soundLength, writeSound } from './soundFile.ts';
import { decodeArguments, loopArguments, playArguments } from './trackSound.ts';

export type MixedAudio = {
  /** Raw sound (`rawSound`) for `joinSegments`; null when no track has sound. */
  file: string | null;
  warnings: string[];
};

/**
 * ffmpeg decodes the tracks and changes their speeds. Positions, volumes and the sum are computed here, because they
 * differ between versions of ffmpeg. Tracks are mixed one after the other, so that `folder` contains only the mix and one
 * track at a time. Throws UserError `media_unreadable`.
 */
export async function mixAudio(
  ffmpeg: string,
  mix: AudioMix,
  folder: string,
  signal?: AbortSignal,
): Promise<MixedAudio> {
  const path = join(folder, 'mix.f32');
  const sum = await open(path, 'w+');
  const warnings: string[] = [];
  const probed = new Map<string, MediaFacts>();
  let mixed = 0;
  try {
    await sum.truncate(mix.samples * frameBytes);
    for (const track of mix.tracks) {
      const problem = await namingTrack(track, async () => {
        const facts = probed.get(track.file) ?? (await probeMedia(ffmpeg, track.file, signal));
        probed.set(track.file, facts);
        if (!facts.audio) return l10n.t('has no audio stream');
        const played = join(folder, 'track.f32');
        await playTrack(ffmpeg, track, facts, played, signal);
        const length = await addTrack(sum, mix, track, played);
        return length > 0
          ? undefined
          : l10n.t`has no audio at ${track.mediaStart / sampleRate} s, where the clip starts`;
      });
      if (problem === undefined) mixed++;
      else warnings.push(l10n.t`No audio for ${track.name}: ${basename(track.file)} ${problem}`);
    }
    if (mixed === 0) return { file: null, warnings };
    const loud = (await peak(sum, mix.samples)) > 1;
    return { file: loud ? await writeLimited(sum, mix.samples, join(folder, 'limited.f32')) : path, warnings };
  } finally {
    await sum.close();
  }
}

/** Runs `work` and adds the track's name to its errors. */
async function namingTrack<T>(track: MixTrack, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UserError) || !/^(media_unreadable|ffmpeg_failed)$/.test(error.code)) throw error;
    const message = error.message.replace(`${track.file} `, '');
    throw new UserError('media_unreadable', l10n.t`cannot read the sound of ${track.name}, ${track.file}: ${message}`, {
      hint: error.hint ?? l10n.t('Check that the file plays in a media player.'),
      cause: error,
    });
  }
}

/** Writes the sound that the track plays to `output`, from the track's first sample. It may end before the track does. */
async function playTrack(
  ffmpeg: string,
  track: MixTrack,
  facts: MediaFacts,
  output: string,
  signal?: AbortSignal,
): Promise<void> {
  if (!track.loop) return runFfmpegInto(ffmpeg, playArguments(track, facts), output, signal);
  const decoded = `${output}.loop`;
  // Do not decode more of a long file than is played before the track ends.
  const needed = track.mediaStart + Math.ceil((track.end - track.start) * track.rate);
  await runFfmpegInto(ffmpeg, decodeArguments(track.file, facts, needed), decoded, signal);
  const length = await withFile(decoded, 'r', soundLength);
  if (length === 0) return rename(decoded, output);
  await runFfmpegInto(ffmpeg, loopArguments(track, decoded, length), output, signal);
  await rm(decoded);
}

/** Adds the file at `path` to the mix and deletes it. Returns its length in samples. */
async function addTrack(sum: FileHandle, mix: AudioMix, track: MixTrack, path: string): Promise<number> {
  const length = await withFile(path, 'r', async (played) => {
    const end = Math.min(track.end, track.start + (await soundLength(played)));
    for (const { from, to } of pieces(track.start, end)) {
      const total = await readSound(sum, from, to);
      const sound = await readSound(played, from - track.start, to - track.start);
      for (let index = 0; index < total.length; index++) {
        const gain = gainAt(track.volume, from + (index >> 1), mix.fps);
        total[index] = (total[index] ?? 0) + (sound[index] ?? 0) * gain;
      }
      await writeSound(sum, from, total);
    }
    return end - track.start;
  });
  await rm(path);
  return length;
}

async function peak(sum: FileHandle, samples: number): Promise<number> {
  let highest = 0;
  for (const { from, to } of pieces(0, samples)) {
    for (const value of await readSound(sum, from, to)) highest = Math.max(highest, Math.abs(value));
  }
  return highest;
}

async function writeLimited(sum: FileHandle, samples: number, path: string): Promise<string> {
  await withFile(path, 'w', async (limited) => {
    for (const { from, to } of pieces(0, samples)) {
      const sound = await readSound(sum, from - 2 * lookaheadSamples, to + 2 * lookaheadSamples);
      await writeSound(limited, from, limit(sound));
    }
  });
  return path;
}

async function withFile<T>(path: string, flags: 'r' | 'w', use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}
