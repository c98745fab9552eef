// The soundtrack of a render: the sounds of the page's media elements, mixed into one file as long as the video.
import type { Ffmpeg } from '../media/ffmpeg.ts';
import { type MixedAudio, mixAudio } from '../media/mixAudio.ts';
import { frameTime } from '../model/frameGrid.ts';
import type { Sound } from '../page/runtime/page.ts';
import { type AudioMix, type AudioTrack, audioMix } from '../plan/audio.ts';
import type { RenderPlan } from '../plan/renderPlan.ts';
import type { RemoteAssets } from '../project/remote/remoteAssets.ts';
import type { ProjectServer } from '../project/serve/projectServer.ts';
import { dataFile, mediaFile } from './mediaRoute.ts';

export type SoundtrackJob = {
  plan: RenderPlan;
  server: ProjectServer;
  remote: RemoteAssets;
  ffmpeg: Ffmpeg;
  folder: string;
  signal: AbortSignal;
};

/** Mixes the sounds. The result has no file if nothing is audible. Throws UserError for a file that cannot be decoded. */
export async function makeSoundtrack(
  sounds: readonly Sound[],
  job: SoundtrackJob,
  onProgress: (fraction: number) => void,
): Promise<MixedAudio> {
  const { ffmpeg, folder, signal } = job;
  const mix = await planSoundtrack(sounds, job);
  return mix ? mixAudio(ffmpeg, mix, folder, { onProgress, signal }) : { file: null, isLimited: false, warnings: [] };
}

/** The sounds with their files; null if nothing is audible. */
export async function planSoundtrack(sounds: readonly Sound[], job: SoundtrackJob): Promise<AudioMix | null> {
  const { plan, server, remote, folder } = job;
  const files = new Map<string, Promise<string>>();
  const fileOf = (url: string): Promise<string> => {
    const known = files.get(url);
    const file = known ?? (/^data:/i.test(url) ? dataFile(url, folder) : mediaFile(url, server, remote));
    files.set(url, file);
    return file;
  };
  const tracks = await Promise.all(sounds.map(async (sound) => toTrack(sound, await fileOf(sound.url), plan)));
  const mix = audioMix(tracks, plan.frames, plan.fps);
  return mix && plan.loudness !== undefined ? { ...mix, loudness: plan.loudness } : mix;
}

function toTrack(sound: Sound, file: string, plan: RenderPlan): AudioTrack {
  const { name, mediaStart, rate, loop } = sound;
  const last = frameTime(plan.frames, plan.fps);
  const offset = frameTime(plan.firstFrame ?? 0, plan.fps);
  const end = Math.min((sound.end ?? Number.POSITIVE_INFINITY) - offset, last);
  const start = sound.start - offset;
  const shape = sound.shape && {
    ...sound.shape,
    start,
    end: sound.end === null ? last : sound.end - offset,
    ducks: sound.shape.ducks.map((duck) => ({
      ...duck,
      start: duck.start - offset,
      end: duck.end === null ? null : duck.end - offset,
    })),
  };
  const volume = volumeOf(sound, plan);
  return { name, file, start, end, mediaStart, rate, loop, volume, ...(shape ? { shape } : {}) };
}

/** A constant, or one value per frame if the volume changes. */
function volumeOf({ volumes }: Sound, { frames, firstFrame = 0, fps }: RenderPlan): number | number[] {
  const [first = { volume: 1 }] = volumes;
  if (volumes.length < 2) return first.volume;
  let index = 0;
  return Array.from({ length: frames }, (_, frame) => {
    while ((volumes[index + 1]?.from ?? Infinity) <= frameTime(firstFrame + frame, fps)) index++;
    return volumes[index]?.volume ?? first.volume;
  });
}
