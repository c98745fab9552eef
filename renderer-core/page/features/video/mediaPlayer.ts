// A media element with its open file: its times, its volumes and its sound.
import { attr, mediaStartRange, playbackRateRange, volumeRange } from '../../../model/attributes.ts';
import { isFlagOn, parseNumber } from '../../../model/variables/fields.ts';
import type { Clips } from '../../runtime/clipVisibility.ts';
import type { MediaFile, OpenMedia } from '../../runtime/control.ts';
import { describeElement } from '../../runtime/describeElement.ts';
import { mediaErrorPrefix, type Sound } from '../../runtime/page.ts';
import { sourceUrls } from './mediaSources.ts';
import type { VideoScreen } from './videoScreen.ts';

export type MediaPlayer = {
  element: HTMLMediaElement;
  /** For messages. */
  name: string;
  /** What identifies the sources of the element, to notice that a script has changed them. */
  sources: string;
  url: string;
  file: MediaFile;
  mediaStart: number;
  rate: number;
  audible: boolean;
  screen: VideoScreen | undefined;
  /** Whether its frame is shown elsewhere, and not in the page. */
  isDiverted: boolean;
  volumes: Sound['volumes'];
};

/** Opens the element's file. Undefined if it has no medium. */
export async function openPlayer(
  element: HTMLMediaElement,
  openMedia: OpenMedia,
  screenOf: (video: HTMLVideoElement) => VideoScreen,
): Promise<MediaPlayer | undefined> {
  const sources = sourcesOf(element);
  if (sources === '') return undefined;
  const isVideo = element instanceof window.HTMLVideoElement;
  const name = describeElement(element);
  const { url, ...file } = await openMedia(sourceUrls(element), isVideo).catch((error: Error) => {
    throw new Error(`${mediaErrorPrefix}${name}: ${error.message}`);
  });
  const screen = isVideo ? screenOf(element) : undefined;
  if (file.size) await screen?.open(file.size);
  element.autoplay = false;
  if (element.hasAttribute(attr.volume)) element.volume = numberOf(element, attr.volume, volumeRange, 1);
  return {
    element,
    name,
    sources,
    url,
    file,
    mediaStart: numberOf(element, attr.mediaStart, mediaStartRange, 0),
    rate: numberOf(element, attr.playbackRate, playbackRateRange, 1),
    audible: file.hasAudio && (!isVideo || isFlagOn(element.getAttribute(attr.hasAudio) ?? 'false')),
    screen,
    isDiverted: false,
    volumes: [],
  };
}

/** What identifies the sources of an element; empty if it has no medium. */
export const sourcesOf = (element: HTMLMediaElement): string => sourceUrls(element).join('\n');

/** Seconds from the media start to the end of the file; undefined if it loops. */
export function naturalDuration({ element, file, mediaStart, rate }: MediaPlayer): number | undefined {
  return element.loop ? undefined : Math.max(0, file.duration - mediaStart) / rate;
}

/** The position in the file, in seconds, at `elapsed` seconds after the element's start. */
export function mediaTime({ element, file, mediaStart, rate }: MediaPlayer, elapsed: number): number {
  const at = mediaStart + elapsed * rate;
  return element.loop && at >= file.duration ? at % file.duration : at;
}

/** The seconds since the start of an element's clip, at the composition's time. */
export type Elapsed = (element: Element) => number;

/** Scripts read the file's length and the position in it: those of the browser are a stream's, and follow real time. */
export function followClock(player: MediaPlayer, elapsed: Elapsed): void {
  const { element, file } = player;
  const define = (name: string, get: () => number) =>
    Object.defineProperty(element, name, { configurable: true, get, set() {} });
  define('duration', () => file.duration);
  define('currentTime', () => Math.min(file.duration, mediaTime(player, Math.max(0, elapsed(element)))));
}

/** Shows the frame at `seconds` of the file in the page. Returns whether the page has changed. */
export async function showInPage(player: MediaPlayer, seconds: number): Promise<boolean> {
  const hasMoved = player.isDiverted;
  player.isDiverted = false;
  const frame = await player.file.frameAt(seconds, hasMoved);
  if (frame) {
    await player.screen?.show(frame);
  }
  return hasMoved || frame !== null;
}

/** Records the volume at `seconds`. */
export function recordVolume({ element, volumes }: MediaPlayer, seconds: number): void {
  const volume = element.muted ? 0 : element.volume;
  if (volumes.at(-1)?.volume !== volume) volumes.push({ from: seconds, volume });
}

export function soundOf({ element, name, url, mediaStart, rate, volumes }: MediaPlayer, clips: Clips): Sound {
  const { start, shows } = clips.timeOf(element);
  // A clip may start before the composition around it. Then its sound starts in the middle.
  const late = shows.start - start;
  return {
    name,
    url,
    start: shows.start,
    end: shows.end,
    mediaStart: mediaStart + late * rate,
    rate,
    loop: element.loop,
    volumes,
  };
}

/** The number in an attribute, limited to its range; `fallback` if there is none. */
export function numberOf(
  element: Element,
  name: string,
  range: { min: number; max?: number },
  fallback: number,
): number {
  const value = parseNumber(element.getAttribute(name) ?? '');
  return value === null ? fallback : Math.min(range.max ?? value, Math.max(range.min, value));
}
