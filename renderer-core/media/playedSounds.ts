// Decodes what tracks play of a media file: once, however many tracks play it.
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type MixTrack, sampleRate } from '../plan/audio.ts';
import { type Ffmpeg, runFfmpegInto } from './ffmpeg.ts';
import type { MediaFacts } from './probeMedia.ts';
import { frameBytes, readSound, soundLength } from './soundFile.ts';
import { decodeArguments, isSeekable, type SampleRange, type Stretch, stretchArguments } from './trackSound.ts';

/** Samples of a file that tracks play close to each other. */
export type PlayedPart = SampleRange & { file: string; facts: MediaFacts; tracks: MixTrack[] };

/** The sound of a track. `read` returns samples `from` to `to - 1` of the track, interleaved; silence after its end. */
export type PlayedSound = { track: MixTrack; read(from: number, to: number): Promise<Float32Array> };

/** Seconds between two parts. To start ffmpeg again takes longer than to decode what is between them. */
const gapSeconds = { seekable: 30, other: 600 };

/** The tempo filter reads ahead. */
const tempoSamples = sampleRate;

/** The parts of `file` that `tracks` play. */
export function playedParts(file: string, tracks: readonly MixTrack[], facts: MediaFacts): PlayedPart[] {
  const gap = sampleRate * (isSeekable(facts) ? gapSeconds.seekable : gapSeconds.other);
  const ranges = tracks.map((track) => ({ ...rangeOf(track), file, facts, tracks: [track] }));
  const parts: PlayedPart[] = [];
  for (const range of ranges.sort((one, other) => one.first - other.first)) {
    const last = parts.at(-1);
    if (!last || range.first > last.end + gap) parts.push(range);
    else {
      last.end = Math.max(last.end, range.end);
      last.tracks.push(...range.tracks);
    }
  }
  return parts;
}

/** A loop is decoded from the start of its file, because it starts over there. */
function rangeOf({ start, end, mediaStart, rate, loop }: MixTrack): SampleRange {
  const played = Math.ceil((end - start) * rate) + (rate === 1 ? 0 : tempoSamples);
  return { first: loop ? 0 : mediaStart, end: mediaStart + played };
}

export type DecodedPart = { sounds: PlayedSound[]; close(): Promise<void> };

export type Decoding = {
  ffmpeg: Ffmpeg;
  /** A folder for decoded files. It is created, and deleted by `close`. */
  folder: string;
  /** Gets numbers of decoded samples. */
  onSamples: (samples: number) => void;
  signal: AbortSignal | undefined;
};

/** Decodes a part. Tracks that have no sound at their start are missing in the result. */
export async function decodePart(part: PlayedPart, decoding: Decoding): Promise<DecodedPart> {
  const { ffmpeg, folder, onSamples, signal } = decoding;
  await mkdir(folder);
  const opened: FileHandle[] = [];
  const close = async (): Promise<void> => {
    for (const file of opened) await file.close();
    await rm(folder, { recursive: true, force: true });
  };
  const run = async (args: string[], onBytes?: (bytes: number) => void): Promise<FileHandle> => {
    const path = join(folder, `${opened.length}.f32`);
    await runFfmpegInto(ffmpeg, args, path, signal, onBytes);
    const file = await open(path);
    opened.push(file);
    return file;
  };
  try {
    const decoded = await run(decodeArguments(part.file, part.facts, part), (bytes) => onSamples(bytes / frameBytes));
    const length = await soundLength(decoded);
    const found = part.tracks.filter(({ loop, mediaStart }) => (loop ? length > 0 : mediaStart - part.first < length));
    const usual = found
      .filter(({ rate }) => rate === 1)
      .map((track) => playDecoded(track, decoded, part.first, length));
    const changed: PlayedSound[] = [];
    for (const tracks of graphs(found.filter(({ rate }) => rate !== 1))) {
      const stretches = tracks.map((track) => stretchOf(track, part.first, length));
      const file = await run(stretchArguments(join(folder, '0.f32'), length, stretches));
      changed.push(...playStretched(tracks, file));
    }
    return { sounds: [...usual, ...changed], close };
  } catch (error) {
    await close();
    throw error;
  }
}

function playDecoded(track: MixTrack, decoded: FileHandle, first: number, length: number): PlayedSound {
  const { loop, mediaStart } = track;
  const offset = loop ? mediaStart % length : mediaStart - first;
  if (!loop) return { track, read: (from, to) => readSound(decoded, offset + from, offset + to) };
  return { track, read: (from, to) => readLoop(decoded, length, offset + from, offset + to) };
}

/** Reads frames `from` to `to - 1` of a file that repeats after `length` frames. */
async function readLoop(file: FileHandle, length: number, from: number, to: number): Promise<Float32Array> {
  const sound = new Float32Array((to - from) * 2);
  for (let at = from; at < to; ) {
    const start = at % length;
    const count = Math.min(to - at, length - start);
    sound.set(await readSound(file, start, start + count), (at - from) * 2);
    at += count;
  }
  return sound;
}

const lengthOf = ({ start, end }: MixTrack): number => end - start;

const stretchOf = (track: MixTrack, first: number, length: number): Stretch => ({
  rate: track.rate,
  loop: track.loop,
  from: track.loop ? track.mediaStart % length : track.mediaStart - first,
  length: lengthOf(track),
});

/** The tracks are one after the other in `file`. */
function playStretched(tracks: readonly MixTrack[], file: FileHandle): PlayedSound[] {
  let next = 0;
  return tracks.map((track) => {
    const at = next;
    next += lengthOf(track);
    return { track, read: (from, to) => readSound(file, at + from, at + to) };
  });
}

/** ffmpeg keeps the sounds of a graph in memory, and Windows limits the length of a command line. */
const graphSamples = 60 * sampleRate;
const graphTracks = 64;

/** The tracks whose speeds change in one run of ffmpeg. */
function graphs(tracks: readonly MixTrack[]): MixTrack[][] {
  const all: { tracks: MixTrack[]; samples: number }[] = [];
  for (const track of tracks) {
    const last = all.at(-1);
    const samples = lengthOf(track) + (last?.samples ?? 0);
    if (!last || samples > graphSamples || last.tracks.length === graphTracks)
      all.push({ tracks: [track], samples: lengthOf(track) });
    else Object.assign(last, { samples, tracks: [...last.tracks, track] });
  }
  return all.map(({ tracks }) => tracks);
}
