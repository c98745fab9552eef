// Video and audio elements on the composition's clock: which there are once scripts have run, what shows, what sounds.
import { attr, mediaStartRange, type NumberRange, playbackRateRange, volumeRange } from '../model/attributes.ts';
import { isOn, parseNumber } from '../model/fields.ts';
import type { Clips } from './clips.ts';
import type { MediaFile, OpenMedia } from './control.ts';
import { mediaFault, type Sound } from './page.ts';
import { createScreen, type VideoScreen } from './videoScreen.ts';

export type Media = {
  /** Opens the files of all media elements, as scripts and variables have set them. */
  open(openMedia: OpenMedia): Promise<void>;
  /** Seconds that an element plays for by itself: from where it starts to the end of its file; undefined when it loops. */
  naturalDuration(element: Element): number | undefined;
  /** Brings the videos that show at `seconds` to their pictures. True when one has changed. */
  show(seconds: number, clips: Clips): Promise<boolean>;
  /** Notes how loud everything is at `seconds`. */
  listen(seconds: number): void;
  sounds(clips: Clips): Sound[];
  /** Whether a video shows something else than the pictures given to it: its changes cannot be told. */
  runsFree(): boolean;
};

type Player = {
  element: HTMLMediaElement;
  url: string;
  file: MediaFile;
  mediaStart: number;
  rate: number;
  audible: boolean;
  screen: VideoScreen | undefined;
  volumes: Sound['volumes'];
};

/** Call before the clock is installed: it needs the browser's own timers. */
export function createMedia(window: Window & typeof globalThis): Media {
  const { document } = window;
  const timeout = window.setTimeout.bind(window);
  const { play } = window.HTMLMediaElement.prototype;
  let players: Player[] = [];

  const openOne = async (element: HTMLMediaElement, openMedia: OpenMedia): Promise<Player | undefined> => {
    const url = sourceUrl(element);
    if (url === '') return undefined;
    const isVideo = element instanceof window.HTMLVideoElement;
    const file = await openMedia(url, isVideo).catch((error: Error) => {
      throw new Error(`${mediaFault}${nameOf(element)}: ${error.message}`);
    });
    const mediaStart = numberOf(element, attr.mediaStart, mediaStartRange, 0);
    const rate = numberOf(element, attr.playbackRate, playbackRateRange, 1);
    element.autoplay = false;
    if (element.hasAttribute(attr.volume)) element.volume = numberOf(element, attr.volume, volumeRange, 1);
    const screen = isVideo ? createScreen(element, () => play.call(element), timeout) : undefined;
    const audible = file.hasAudio && (!isVideo || isOn(element.getAttribute(attr.hasAudio) ?? 'false'));
    return { element, url, file, mediaStart, rate, audible, screen, volumes: [] };
  };

  return {
    async open(openMedia) {
      const elements = [...document.querySelectorAll<HTMLMediaElement>('video,audio')];
      const opened = await Promise.all(elements.map((element) => openOne(element, openMedia)));
      players = opened.filter((player) => player !== undefined);
      // They stand still from here on, whatever scripts do: their time is the composition's.
      window.HTMLMediaElement.prototype.play = () => Promise.resolve();
    },
    naturalDuration(element) {
      const player = players.find((one) => one.element === element);
      if (!player || player.element.loop) return undefined;
      return Math.max(0, player.file.duration - player.mediaStart) / player.rate;
    },
    async show(seconds, clips) {
      const work = players.map(async (player) => {
        const { start, shows } = clips.timeOf(player.element);
        if (!player.screen || seconds < shows.start || (shows.end !== null && seconds >= shows.end)) return false;
        const picture = await player.file.pictureAt(mediaTime(player, seconds - start));
        if (picture) await player.screen.show(picture);
        return picture !== null;
      });
      return (await Promise.all(work)).includes(true);
    },
    listen(seconds) {
      for (const { element, volumes } of players) {
        const volume = element.muted ? 0 : element.volume;
        if (volumes.at(-1)?.volume !== volume) volumes.push({ from: seconds, volume });
      }
    },
    runsFree: () => document.getElementsByTagName('video').length > players.filter(({ screen }) => screen).length,
    sounds: (clips) =>
      players
        .filter(({ audible }) => audible)
        .map(({ element, url, mediaStart, rate, volumes }) => {
          const { start, shows } = clips.timeOf(element);
          // A clip may begin before the composition around it does: its sound is then under way already.
          const late = shows.start - start;
          return {
            name: nameOf(element),
            url,
            start: shows.start,
            end: shows.end,
            mediaStart: mediaStart + late * rate,
            rate,
            loop: element.loop,
            volumes,
          };
        }),
  };
}

/** Second of the file that shows `elapsed` seconds after the element's start. */
function mediaTime({ element, file, mediaStart, rate }: Player, elapsed: number): number {
  const at = mediaStart + elapsed * rate;
  return element.loop && at >= file.duration ? at % file.duration : at;
}

function sourceUrl(element: HTMLMediaElement): string {
  if (element.src !== '') return element.src;
  return element.querySelector<HTMLSourceElement>('source[src]')?.src ?? '';
}

function nameOf(element: Element): string {
  return element.id === '' ? `<${element.localName}>` : `<${element.localName} id="${element.id}">`;
}

/** The number that an attribute holds, moved into its range; `otherwise` where it holds none. */
function numberOf(element: Element, name: string, range: NumberRange, otherwise: number): number {
  const value = parseNumber(element.getAttribute(name) ?? '');
  return value === null ? otherwise : Math.min(range.max ?? value, Math.max(range.min ?? value, value));
}
