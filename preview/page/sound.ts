// Plays the sound of the composition: one audio element per media element, synchronized with the frames.
import type { Sound } from '../../renderer-core/runtime/page.ts';
import { playableSound } from './link.ts';
import { mediaPosition } from './soundPosition.ts';

export type SoundPlayer = {
  /** Call for every frame: starts, seeks and stops the sounds for `time`. Silent while not playing. */
  follow(sounds: readonly Sound[], now: { time: number; playing: boolean; speed: number }): void;
  setMuted(muted: boolean): void;
  setVolume(volume: number): void;
};

/** In seconds. Larger differences are audible. */
const tolerance = 0.06;
/** The range of playback rates that browsers support. */
const [minRate, maxRate] = [0.0625, 16];

type Voice = { element: HTMLAudioElement; url: string; isConverted: boolean };

/** Calls `onBlocked` when the browser requires a click before it plays sound, and `onProblem` when a file cannot be played. */
export function createSoundPlayer(
  onBlocked: (blocked: boolean) => void,
  onProblem: (message: string) => void,
): SoundPlayer {
  const voices: Voice[] = [];
  let [muted, volume] = [false, 1];

  const voiceFor = (index: number, url: string): Voice => {
    const known = voices[index];
    if (known?.url === url) return known;
    known?.element.pause();
    const element = new Audio();
    element.preload = 'auto';
    const voice = { element, url, isConverted: false };
    // Files that the browser cannot play, such as AAC in builds without its license, are converted once.
    element.addEventListener('error', () => {
      if (voice.isConverted) return;
      voice.isConverted = true;
      playableSound(url).then(
        (path) => {
          element.src = path;
        },
        (error: Error) => onProblem(error.message),
      );
    });
    element.src = url;
    voices[index] = voice;
    return voice;
  };

  const start = (element: HTMLAudioElement) => {
    element.play().then(
      () => onBlocked(false),
      (error: DOMException) => {
        if (error.name === 'NotAllowedError') onBlocked(true);
      },
    );
  };

  return {
    follow(sounds, { time, playing, speed }) {
      for (const [index, sound] of sounds.entries()) {
        const { element } = voiceFor(index, sound.url);
        const sounding = playing && time >= sound.start && (sound.end === null || time < sound.end);
        if (!sounding) {
          if (!element.paused) element.pause();
          continue;
        }
        const rate = sound.rate * speed;
        element.muted = muted || rate < minRate || rate > maxRate;
        element.volume = Math.min(1, Math.max(0, (sound.volumes.at(-1)?.volume ?? 1) * volume));
        if (element.playbackRate !== rate) element.playbackRate = Math.min(maxRate, Math.max(minRate, rate));
        const at = mediaPosition(sound, time, element.duration);
        if (at === undefined) element.pause();
        else {
          if (Math.abs(element.currentTime - at) > tolerance * Math.max(1, rate) && !element.seeking)
            element.currentTime = at;
          if (element.paused) start(element);
        }
      }
      for (const { element } of voices.splice(sounds.length)) element.pause();
    },
    setMuted(next) {
      muted = next;
      for (const { element } of voices) element.muted = next;
    },
    setVolume(next) {
      volume = next;
    },
  };
}
