// Video and audio elements on the composition's clock: opens their files, shows their frames and records their volumes.
import { attr, mediaStartRange, type NumberRange, playbackRateRange, volumeRange } from '../../model/attributes.ts';
import { isFlagOn, parseNumber } from '../../model/fields.ts';
import type { Clips } from '../clipVisibility.ts';
import type { BackgroundVideo, MediaFile, OpenMedia } from '../control.ts';
import { mediaErrorPrefix, type Sound } from '../page.ts';
import { addStyle } from '../styles.ts';
import { backgroundVideoCss, isBackgroundVideo, markBackgroundVideo, shownCrop } from './backgroundVideo.ts';
import { watchVideoReads } from './videoReads.ts';
import { createScreen, type VideoScreen } from './videoScreen.ts';

export type Media = {
  /** Opens the files of all media elements, after scripts and variables have set their sources. */
  open(openMedia: OpenMedia): Promise<void>;
  /** Opens files of elements that scripts have added or changed since. Returns whether there were any. */
  adopt(): Promise<boolean>;
  /** Seconds from the element's media start to the end of its file; undefined if it loops. */
  naturalDuration(element: Element): number | undefined;
  /** Shows the frames of all videos at `seconds`. Returns whether one has changed. */
  show(seconds: number, clips: Clips): Promise<boolean>;
  /** Resolves when the browser's compositor has the frames of all videos. */
  arrived(isUnwanted?: () => boolean): Promise<void>;
  /** From now on, a background video is left out of the page. Returns false if there is no video. */
  useBackgroundVideo(): boolean;
  backgroundVideo(): BackgroundVideo | null;
  /** Records the volumes at `seconds`. */
  listen(seconds: number): void;
  sounds(clips: Clips): Sound[];
  /** Whether there is a video without a file, for example a stream, whose changes cannot be detected. */
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
  /** Whether the element has had a frame of the file, and therefore its size. */
  hasShown: boolean;
  /** Whether its frame is the background video, and not in the page. */
  isBackground: boolean;
  volumes: Sound['volumes'];
};

/** Call before the clock is installed: it needs the browser's own timers. */
export function createMedia(window: Window & typeof globalThis): Media {
  const { document } = window;
  const timeout = window.setTimeout.bind(window);
  const { play } = window.HTMLMediaElement.prototype;
  const isRead = watchVideoReads(window);
  /** Live collections. */
  const videos = document.getElementsByTagName('video');
  const audios = document.getElementsByTagName('audio');
  let players: Player[] = [];
  let showing: Player[] = [];
  let usesBackground = false;
  let background: BackgroundVideo | null = null;
  let openMedia: OpenMedia = () => Promise.reject(new Error('media was used before it was opened'));

  const urlOf = (element: HTMLMediaElement) => players.find((one) => one.element === element)?.url ?? '';
  const unopened = () => [...videos, ...audios].filter((element) => sourceUrl(element) !== urlOf(element));

  const openOne = async (element: HTMLMediaElement): Promise<Player | undefined> => {
    const url = sourceUrl(element);
    if (url === '') return undefined;
    const isVideo = element instanceof window.HTMLVideoElement;
    const file = await openMedia(url, isVideo).catch((error: Error) => {
      throw new Error(`${mediaErrorPrefix}${nameOf(element)}: ${error.message}`);
    });
    const mediaStart = numberOf(element, attr.mediaStart, mediaStartRange, 0);
    const rate = numberOf(element, attr.playbackRate, playbackRateRange, 1);
    element.autoplay = false;
    if (element.hasAttribute(attr.volume)) element.volume = numberOf(element, attr.volume, volumeRange, 1);
    const before = players.find((one) => one.element === element);
    // A new source has replaced the stream of the old screen.
    before?.screen?.close();
    const screen = isVideo ? createScreen(element, () => play.call(element), timeout) : undefined;
    const audible = file.hasAudio && (!isVideo || isFlagOn(element.getAttribute(attr.hasAudio) ?? 'false'));
    return { element, url, file, mediaStart, rate, audible, screen, hasShown: false, isBackground: false, volumes: [] };
  };

  const openAll = async (elements: HTMLMediaElement[]): Promise<void> => {
    const opened = await Promise.all(elements.map(openOne));
    players = [
      ...players.filter(({ element }) => !elements.includes(element)),
      ...opened.filter((player) => player !== undefined),
    ];
  };

  const findBackground = (showing: Player[]) => {
    for (const player of showing) {
      const video = player.element as HTMLVideoElement;
      if (!player.file.isOpaque || !player.hasShown || isRead(video)) continue;
      const crop = isBackgroundVideo(video) ? shownCrop(video) : undefined;
      if (crop) return { player, crop };
    }
    return undefined;
  };

  /** Without a new frame, the previous one stays. Without `crop`, there is no background video. */
  const setBackground = (frame: VideoFrame | null, crop: BackgroundVideo['crop'] | undefined): void => {
    const before = background;
    if (frame || !crop) before?.videoFrame.close();
    const videoFrame = frame ?? before?.videoFrame;
    background = videoFrame && crop ? { videoFrame, crop, changed: frame !== null || !sameCrop(before, crop) } : null;
  };

  return {
    async open(how) {
      openMedia = how;
      await openAll(unopened());
      // Scripts cannot play media from now on: its time is the composition's.
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
      const found = usesBackground ? findBackground(showing) : undefined;
      const work = showing.map(async (player) => {
        const isFound = player === found?.player;
        const hasMoved = player.isBackground !== isFound;
        player.isBackground = isFound;
        const at = mediaTime(player, seconds - clips.timeOf(player.element).start);
        const frame = await player.file.frameAt(at, hasMoved);
        if (isFound) {
          if (hasMoved) await player.screen?.clear();
          setBackground(frame, found.crop);
        } else if (frame) {
          await player.screen?.show(frame);
          player.hasShown = true;
        }
        return (frame !== null && !isFound) || hasMoved;
      });
      const changed = (await Promise.all(work)).includes(true);
      if (!found) setBackground(null, undefined);
      if (usesBackground) markBackgroundVideo(document, found?.player.element);
      return changed;
    },
    async arrived(isUnwanted) {
      await Promise.all(showing.map(({ screen }) => screen?.arrived(isUnwanted)));
    },
    useBackgroundVideo() {
      usesBackground = videos.length > 0;
      if (usesBackground) addStyle(document, backgroundVideoCss);
      return usesBackground;
    },
    backgroundVideo: () => background,
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
          // A clip may start before the composition around it. Then its sound starts in the middle.
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

function sameCrop(video: BackgroundVideo | null, { x, y, width, height }: BackgroundVideo['crop']): boolean {
  const before = video?.crop;
  return before?.x === x && before.y === y && before.width === width && before.height === height;
}

/** The position in the file, in seconds, at `elapsed` seconds after the element's start. */
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

/** The number in an attribute, limited to its range; `fallback` if there is none. */
function numberOf(element: Element, name: string, range: NumberRange, fallback: number): number {
  const value = parseNumber(element.getAttribute(name) ?? '');
  return value === null ? fallback : Math.min(range.max ?? value, Math.max(range.min ?? value, value));
}
