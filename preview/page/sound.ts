// The sound of what plays: an audio element for each of the composition's, kept in time with the picture.
import type { Sound } from '../runtime/page.ts';
import { playableSound } from './link.ts';
import { placeIn } from './soundPlace.ts';

export type SoundPlayer = {
  /** Once a frame: what sounds at `time`, and whether anything is to sound. Silent while not playing. */
  follow(sounds: readonly Sound[], now: { time: number; playing: boolean; speed: number }): void;
  setMuted(muted: boolean): void;
  setVolume(volume: number): void;
};

/** More than this is heard as being late. Seconds. */
const tolerance = 0.06;
/** Of the file's own speed; browsers play nothing slower or faster. */
const [slowest, fastest] = [0.0625, 16];

type Voice = { element: HTMLAudioElement; url: string; isConverted: boolean };

/** `onBlocked`: the browser wants a click before it plays sound; `onProblem`: a file cannot be played. */
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
    // What the browser cannot play, such as AAC without its licence, is converted once.
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
        element.muted = muted || rate < slowest || rate > fastest;
        element.volume = Math.min(1, Math.max(0, (sound.volumes.at(-1)?.volume ?? 1) * volume));
        if (element.playbackRate !== rate) element.playbackRate = Math.min(fastest, Math.max(slowest, rate));
        const at = placeIn(sound, time, element.duration);
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
