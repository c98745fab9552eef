// What is wrong with the sound of a video: silence, too much volume, and sounds that end suddenly.
import { open } from 'node:fs/promises';
import { type Loudness, measureLoudness } from '../media/loudness.ts';
import { probeMedia } from '../media/probeMedia.ts';
import { pieces, readSound } from '../media/soundFile.ts';
import { type MixTrack, sampleRate } from '../plan/audio.ts';
import { makeSoundtrack, planSoundtrack } from '../render/soundtrack.ts';
import type { RenderPlace } from '../render/types.ts';
import type { Problem } from './findings.ts';
import type { Walked } from './walkPage.ts';

/** `folder`: for the mix. `sound`: null if there is none. */
export async function checkSound(
  { results, plan, sources }: Walked,
  { session, site }: RenderPlace,
  folder: string,
): Promise<{ sound: Loudness | null; problems: Problem[] }> {
  const { ffmpeg, signal } = session;
  const job = { plan, server: site.server, remote: site.remote, ffmpeg, folder, signal };
  const mix = await planSoundtrack(results.sounds, job);
  const { file, isLimited, warnings } = await makeSoundtrack(results.sounds, job, () => undefined);
  const frameOf = (sample: number) =>
    Math.min(plan.frames - 1, Math.floor((sample * plan.fps.num) / plan.fps.den / sampleRate));
  const about = (check: Problem['check'], name: string | null, message: string, sample: number): Problem => ({
    ...{
      check,
      source: name === null ? null : (sources[name] ?? null),
      message,
      frame: frameOf(sample),
      box: null,
      weight: 1,
    },
  });
  const problems = warnings.map((message) => {
    const track = mix?.tracks.find(({ name }) => message.includes(name));
    return about('silent-sound', track?.name ?? null, message, track?.start ?? 0);
  });
  if (!mix || file === null) return { sound: null, problems };
  const sound = await measureLoudness(file, signal);
  if (isLimited)
    problems.push(
      about(
        'clipped-sound',
        null,
        'The sounds together are louder than a file can store, so they are made quieter at these moments. Lower their volumes',
        0,
      ),
    );
  const mixed = await open(file);
  try {
    for (const track of mix.tracks) {
      const { name, start, end } = track;
      const silentWarning = problems.some(
        ({ check, source }) => check === 'silent-sound' && source === (sources[name] ?? null),
      );
      const level = (from: number, to: number) => levelOf(from, to, (a, b) => readSound(mixed, a, b));
      if (!silentWarning && (await level(start, end)) < silence) {
        problems.push(
          about('silent-sound', name, `${name} is silent from ${seconds(start)} to ${seconds(end)}`, start),
        );
      } else if ((await level(Math.max(start, end - edge), end)) > audible && (await isCut(track, ffmpeg, signal))) {
        problems.push(
          about(
            'cut-sound',
            name,
            `${name} is cut off at ${seconds(end)}, while it sounds. Let it fade out, or end it with its file`,
            end,
          ),
        );
      }
    }
  } finally {
    await mixed.close();
  }
  return { sound, problems };

  async function isCut(
    { file, loop, rate, mediaStart, start, end }: MixTrack,
    ffmpeg: typeof job.ffmpeg,
    signal: AbortSignal,
  ) {
    const { duration } = await probeMedia(ffmpeg, file, signal);
    const played = mediaStart + (end - start) * rate;
    return loop || duration === null || played < (duration - 0.1) * sampleRate;
  }
}

const seconds = (sample: number): string => `${Number((sample / sampleRate).toFixed(1))} s`;

/** In dBFS. */
const silence = -60;
const audible = -40;
/** The last moments of a sound: 30 ms. */
const edge = (30 * sampleRate) / 1000;

/** The level of a part of a sound in dBFS. */
async function levelOf(
  from: number,
  to: number,
  read: (from: number, to: number) => Promise<Float32Array>,
): Promise<number> {
  let sum = 0;
  for (const piece of pieces(from, to)) for (const value of await read(piece.from, piece.to)) sum += value * value;
  return 10 * Math.log10(sum / Math.max(1, 2 * (to - from)));
}
