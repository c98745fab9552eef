// Plays the sound of the composition: one audio element per media element, synchronized with the frames.
import { shapeGain } from '../../../renderer-core/model/soundShape.ts';
import { containsTime } from '../../../renderer-core/model/timing.ts';
import type { Sound } from '../../../renderer-core/page/runtime/page.ts';
import { playableSound } from '../link.ts';
import { mediaPosition } from './soundPosition.ts';

export type SoundPlayer = {
  /** Call for every frame: starts, seeks and stops the sounds for `time`. Silent while not playing. */
  follow(sounds: readonly Sound[], now: Now): void;
  setMuted(muted: boolean): void;
  setVolume(volume: number): void;
};

/** In seconds. Larger differences are audible. */
const tolerance = 0.06;
/** The range of playback rates that browsers support. */
const [minRate, maxRate] = [0.0625, 16];

type Voice = { element: HTMLAudioElement; url: string };
type Now = { time: number; playing: boolean; speed: number };
type Output = { muted: boolean; volume: number };

/** Calls `onBlocked` when the browser requires a click before it plays sound, and `onProblem` when a file cannot be played. */
export function createSoundPlayer(
  onBlocked: (blocked: boolean) => void,
  onProblem: (message: string) => void,
): SoundPlayer {
  const voices: Voice[] = [];
  const output: Output = { muted: false, volume: 1 };

  const voiceFor = (index: number, url: string): Voice => {
    const known = voices[index];
    if (known?.url === url) return known;
    known?.element.pause();
    const voice = { element: createAudio(url, onProblem), url };
    voices[index] = voice;
    return voice;
  };

  return {
    follow(sounds, now) {
      for (const [index, sound] of sounds.entries()) {
        const { element } = voiceFor(index, sound.url);
        synchronize(element, sound, now, output, onBlocked);
      }
      for (const { element } of voices.splice(sounds.length)) element.pause();
    },
    setMuted(muted) {
      output.muted = muted;
      for (const { element } of voices) element.muted = muted;
    },
    setVolume(volume) {
      output.volume = volume;
    },
  };
}

/** Files that the browser cannot play, such as AAC in builds without its license, are converted once. */
function createAudio(url: string, onProblem: (message: string) => void): HTMLAudioElement {
  const element = new Audio();
  element.preload = 'auto';
  const convert = () =>
    playableSound(url).then(
      (path) => {
        element.src = path;
      },
      (error: Error) => onProblem(error.message),
    );
  element.addEventListener('error', convert, { once: true });
  element.src = url;
  return element;
}

/** Plays the element at its position of the sound, or pauses it. */
function synchronize(
  element: HTMLAudioElement,
  sound: Sound,
  { time, playing, speed }: Now,
  output: Output,
  onBlocked: (blocked: boolean) => void,
): void {
  if (!playing || !containsTime(sound, time)) {
    if (!element.paused) element.pause();
    return;
  }
  const rate = sound.rate * speed;
  element.muted = output.muted || rate < minRate || rate > maxRate;
  const { shape, start: from, end, volumes } = sound;
  const shaped = shape ? shapeGain(shape, from, end ?? Number.POSITIVE_INFINITY, time) : 1;
  element.volume = Math.min(1, Math.max(0, (volumes.at(-1)?.volume ?? 1) * shaped * output.volume));
  if (element.playbackRate !== rate) element.playbackRate = Math.min(maxRate, Math.max(minRate, rate));
  const at = mediaPosition(sound, time, element.duration);
  if (at === undefined) {
    element.pause();
    return;
  }
  const isOff = Math.abs(element.currentTime - at) > tolerance * Math.max(1, rate);
  if (isOff && !element.seeking) element.currentTime = at;
  if (element.paused) start(element, onBlocked);
}

function start(element: HTMLAudioElement, onBlocked: (blocked: boolean) => void): void {
  element.play().then(
    () => onBlocked(false),
    (error: DOMException) => {
      if (error.name === 'NotAllowedError') onBlocked(true);
    },
  );
}
