// The sound of a render: what the page's media elements play, mixed into one file as long as the video.
import { type MixedAudio, mixAudio } from '../media/mixAudio.ts';
import { type AudioTrack, audioMix } from '../plan/audio.ts';
import { frameTime } from '../plan/frameRate.ts';
import type { RenderPlan } from '../plan/plan.ts';
import type { RemoteAssets } from '../project/remoteAssets.ts';
import type { ProjectServer } from '../project/server.ts';
import type { Sound } from '../runtime/page.ts';
import { mediaFile } from './mediaRoute.ts';

export type SoundtrackOptions = {
  plan: RenderPlan;
  server: ProjectServer;
  remote: RemoteAssets;
  ffmpeg: string;
  folder: string;
  signal: AbortSignal;
};

/** The mixed sound; without a file when nothing sounds. */
export async function makeSoundtrack(sounds: readonly Sound[], options: SoundtrackOptions): Promise<MixedAudio> {
  const { plan, server, remote, ffmpeg, folder, signal } = options;
  const tracks = await Promise.all(
    sounds.map(async (sound) => toTrack(sound, await mediaFile(sound.url, server, remote), plan)),
  );
  const mix = audioMix(tracks, plan.frames, plan.fps);
  return mix ? mixAudio(ffmpeg, mix, folder, signal) : { file: null, warnings: [] };
}

function toTrack(sound: Sound, file: string, plan: RenderPlan): AudioTrack {
  const { name, start, end, mediaStart, rate, loop } = sound;
  const last = frameTime(plan.frames, plan.fps);
  return { name, file, start, end: Math.min(end ?? last, last), mediaStart, rate, loop, volume: volumeOf(sound, plan) };
}

/** One value a frame where the loudness changes. */
function volumeOf({ volumes }: Sound, { frames, fps }: RenderPlan): number | number[] {
  const [first = { volume: 1 }] = volumes;
  if (volumes.length < 2) return first.volume;
  let at = 0;
  return Array.from({ length: frames }, (_, frame) => {
    while ((volumes[at + 1]?.from ?? Infinity) <= frameTime(frame, fps)) at++;
    return volumes[at]?.volume ?? first.volume;
  });
}
