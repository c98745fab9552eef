// Video and audio elements on the composition's clock: which there are once scripts have run, what shows, what sounds.
import { attr, mediaStartRange, type NumberRange, playbackRateRange, volumeRange } from '../model/attributes.ts';
import { isOn, parseNumber } from '../model/fields.ts';
import type { Clips } from './clips.ts';
import type { Ground, MediaFile, OpenMedia } from './control.ts';
import { groundCss, isGround, markGround, shownCrop } from './ground.ts';
import { mediaFault, type Sound } from './page.ts';
import { addStyle } from './styles.ts';
import { watchVideoReads } from './videoReads.ts';
import { createScreen, type VideoScreen } from './videoScreen.ts';

export type Media = {
  /** Opens the files of all media elements, as scripts and variables have set them. */
  open(openMedia: OpenMedia): Promise<void>;
  /** Opens those that scripts have added, or given another file, since. True when there were any. */
  adopt(): Promise<boolean>;
  /** Seconds that an element plays for by itself: from where it starts to the end of its file; undefined when it loops. */
  naturalDuration(element: Element): number | undefined;
  /** Brings the videos that show at `seconds` to their pictures. True when one has changed. */
  show(seconds: number, clips: Clips): Promise<boolean>;
  /** Resolves when the browser's compositor has what the videos show. */
  arrived(isUnwanted?: () => boolean): Promise<void>;
  /** From now on footage under everything else is left out of the page. False when there is no video. */
  useGround(): boolean;
  ground(): Ground | null;
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
  /** The element has had a picture of the file, and with that its size. */
  hasShown: boolean;
  /** Its picture is not in the page. */
  isGround: boolean;
  volumes: Sound['volumes'];
};

/** Call before the clock is installed: it needs the browser's own timers. */
export function createMedia(window: Window & typeof globalThis): Media {
  const { document } = window;
  const timeout = window.setTimeout.bind(window);
  const { play } = window.HTMLMediaElement.prototype;
  const isRead = watchVideoReads(window);
  /** Live: they cost nothing to look at again. */
  const videos = document.getElementsByTagName('video');
  const audios = document.getElementsByTagName('audio');
  let players: Player[] = [];
  let showing: Player[] = [];
  let usesGround = false;
  let ground: Ground | null = null;
  let openMedia: OpenMedia = () => Promise.reject(new Error('no media yet'));

  const urlOf = (element: HTMLMediaElement) => players.find((one) => one.element === element)?.url ?? '';
  const unopened = () => [...videos, ...audios].filter((element) => sourceUrl(element) !== urlOf(element));

  const openOne = async (element: HTMLMediaElement): Promise<Player | undefined> => {
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
    const before = players.find((one) => one.element === element);
    // Another source has made the element load, and stop what it showed.
    before?.screen?.close();
    const screen = isVideo ? createScreen(element, () => play.call(element), timeout) : undefined;
    const audible = file.hasAudio && (!isVideo || isOn(element.getAttribute(attr.hasAudio) ?? 'false'));
    return { element, url, file, mediaStart, rate, audible, screen, hasShown: false, isGround: false, volumes: [] };
  };

  const openAll = async (elements: HTMLMediaElement[]): Promise<void> => {
    const opened = await Promise.all(elements.map(openOne));
    players = [
      ...players.filter(({ element }) => !elements.includes(element)),
      ...opened.filter((player) => player !== undefined),
    ];
  };

  const findGround = (showing: Player[]) => {
    for (const player of showing) {
      const video = player.element as HTMLVideoElement;
      if (!player.file.isOpaque || !player.hasShown || isRead(video)) continue;
      const crop = isGround(video) ? shownCrop(video) : undefined;
      if (crop) return { player, crop };
    }
    return undefined;
  };

  /** Without a picture the one before stays, as long as a part of it is to be shown. */
  const setGround = (picture: VideoFrame | null, crop: Ground['crop'] | undefined): void => {
    const before = ground;
    if (picture || !crop) before?.picture.close();
    const shown = picture ?? before?.picture;
    ground = shown && crop ? { picture: shown, crop, changed: picture !== null || !sameCrop(before, crop) } : null;
  };

  return {
    async open(how) {
      openMedia = how;
      await openAll(unopened());
      // They stand still from here on, whatever scripts do: their time is the composition's.
      window.HTMLMediaElement.prototype.play = () => Promise.resolve();
    },
    async adopt() {
      const late = unopened();
      if (late.length > 0) await openAll(late);
      return late.length > 0;
    },
    naturalDuration(element) {
      const player = players.find((one) => one.element === element);
      if (!player || player.element.loop) return undefined;
      return Math.max(0, player.file.duration - player.mediaStart) / player.rate;
    },
    async show(seconds, clips) {
      showing = players.filter(({ element, screen }) => {
        const { shows } = clips.timeOf(element);
        return screen && seconds >= shows.start && (shows.end === null || seconds < shows.end);
      });
      const found = usesGround ? findGround(showing) : undefined;
      const work = showing.map(async (player) => {
        const isFound = player === found?.player;
        const hasMoved = player.isGround !== isFound;
        player.isGround = isFound;
        const at = mediaTime(player, seconds - clips.timeOf(player.element).start);
        const picture = await player.file.pictureAt(at, hasMoved);
        if (isFound) {
          if (hasMoved) await player.screen?.clear();
          setGround(picture, found.crop);
        } else if (picture) {
          await player.screen?.show(picture);
          player.hasShown = true;
        }
        return (picture !== null && !isFound) || hasMoved;
      });
      const changed = (await Promise.all(work)).includes(true);
      if (!found) setGround(null, undefined);
      if (usesGround) markGround(document, found?.player.element);
      return changed;
    },
    async arrived(isUnwanted) {
      await Promise.all(showing.map(({ screen }) => screen?.arrived(isUnwanted)));
    },
    useGround() {
      usesGround = videos.length > 0;
      if (usesGround) addStyle(document, groundCss);
      return usesGround;
    },
    ground: () => ground,
    listen(seconds) {
      for (const { element, volumes } of players) {
        const volume = element.muted ? 0 : element.volume;
        if (volumes.at(-1)?.volume !== volume) volumes.push({ from: seconds, volume });
      }
    },
    runsFree: () => videos.length > players.filter(({ screen }) => screen).length,
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

function sameCrop(ground: Ground | null, { x, y, width, height }: Ground['crop']): boolean {
  const before = ground?.crop;
  return before?.x === x && before.y === y && before.width === width && before.height === height;
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
