// Video and audio elements on the composition's clock: opens their files, shows their frames and records their volumes.
import { containsTime } from '../../../model/timing.ts';
import type { Clips } from '../clipVisibility.ts';
import type { OpenMedia } from '../control.ts';
import type { Sound } from '../page.ts';
import { finder, type Trees } from '../shadowRoots.ts';
import {
  type Elapsed,
  followClock,
  type MediaPlayer,
  mediaTime,
  naturalDuration,
  openPlayer,
  recordVolume,
  showInPage,
  soundOf,
  sourcesOf,
} from './mediaPlayer.ts';
import { ignoreMissingValues, keepMediaBlobs } from './mediaSources.ts';
import { createScreen } from './videoScreen.ts';

export type Media = {
  /** Opens the files of all media elements, after scripts and variables have set their sources. */
  open(openMedia: OpenMedia, elapsed: Elapsed): Promise<void>;
  /** Opens files of elements that scripts have added or changed since. Returns whether there were any. */
  adopt(): Promise<boolean>;
  /** Seconds from the element's media start to the end of its file; undefined if it loops. */
  naturalDuration(element: Element): number | undefined;
  /**
   * Shows the frames of all videos at `seconds`, or only of those that scripts read. Returns whether one has changed.
   */
  show(seconds: number, clips: Clips, onlyRead: boolean): Promise<boolean>;
  /** Resolves when the browser's compositor has the frames of all videos. */
  arrived(isUnwanted?: () => boolean): Promise<void>;
  handle: MediaHandle;
  /** Records the volumes at `seconds`. */
  listen(seconds: number): void;
  sounds(clips: Clips): Sound[];
  /** Whether there is a video without a file, for example a stream, whose changes cannot be detected. */
  runsFree(): boolean;
};

/** Shows the frames of one of the videos elsewhere than in the page. */
export type Diversion = {
  /** Chooses one of the videos that are shown, in the order in which they were opened. */
  choose(showing: readonly MediaPlayer[]): MediaPlayer | undefined;
  /** Shows the frame at `seconds` of its file. `isNew`: its last frame is in the page. */
  show(player: MediaPlayer, seconds: number, isNew: boolean): Promise<void>;
  /** Called when all videos have been shown, with the one that was chosen. */
  done(player: MediaPlayer | undefined): void;
};

export type MediaHandle = {
  hasVideos(): boolean;
  /** Whether there is a video with a file. */
  hasFrames(): boolean;
  /** Whether a script has read frames of a video, which must be in the page. */
  isRead(video: HTMLVideoElement): boolean;
  divert(diversion: Diversion): void;
};

/** Call before the clock is installed: it needs the browser's own timers. */
export function createMedia(window: Window & typeof globalThis, trees: Trees): Media {
  const isRead = watchVideoReads(window);
  const { players, videos, open, adopt } = createPlayers(window, trees);
  const withScreen = () => [...players.values()].filter(({ screen }) => screen);
  let diversion: Diversion | undefined;
  let showing: MediaPlayer[] = [];
  return {
    open,
    adopt,
    naturalDuration(element) {
      const player = players.get(element);
      return player && naturalDuration(player);
    },
    async show(seconds, clips, onlyRead) {
      showing = withScreen().filter(
        ({ element }) =>
          containsTime(clips.timeOf(element).shows, seconds) && (!onlyRead || isRead(element as HTMLVideoElement)),
      );
      const diverted = onlyRead ? undefined : diversion?.choose(showing);
      const work = showing.map((player) => {
        const at = mediaTime(player, seconds - clips.timeOf(player.element).start);
        return player === diverted && diversion ? divertFrame(player, at, diversion) : showInPage(player, at);
      });
      const changed = (await Promise.all(work)).includes(true);
      diversion?.done(diverted);
      return changed;
    },
    async arrived(isUnwanted) {
      await Promise.all(showing.map(({ screen }) => screen?.arrived(isUnwanted)));
    },
    handle: {
      hasVideos: () => videos().length > 0,
      hasFrames: () => withScreen().length > 0,
      isRead,
      divert(given) {
        diversion = given;
      },
    },
    listen(seconds) {
      for (const player of players.values()) recordVolume(player, seconds);
    },
    runsFree: () => videos().length > withScreen().length,
    sounds: (clips) => [...players.values()].filter(({ audible }) => audible).map((player) => soundOf(player, clips)),
  };
}

/** Returns whether the page has changed. */
async function divertFrame(player: MediaPlayer, seconds: number, { show }: Diversion): Promise<boolean> {
  const isNew = !player.isDiverted;
  player.isDiverted = true;
  await show(player, seconds, isNew);
  return isNew;
}

type Players = {
  /** By element, in the order in which they were opened. */
  players: ReadonlyMap<Element, MediaPlayer>;
  /** All videos of the page. */
  videos(): HTMLVideoElement[];
  open: Media['open'];
  adopt: Media['adopt'];
};

/** Opens the files of media elements. */
function createPlayers(window: Window & typeof globalThis, trees: Trees): Players {
  const timeout = window.setTimeout.bind(window);
  const { play } = window.HTMLMediaElement.prototype;
  const videos = finder<HTMLVideoElement>(window.document, trees, 'video');
  const audios = finder<HTMLAudioElement>(window.document, trees, 'audio');
  const players = new Map<Element, MediaPlayer>();
  let openMedia: OpenMedia = () => Promise.reject(new Error('not open'));
  let elapsed: Elapsed = () => 0;

  const screenOf = (video: HTMLVideoElement) => {
    // A new source has replaced the stream of the old screen.
    players.get(video)?.screen?.close();
    return createScreen(video, () => play.call(video), timeout);
  };

  const adopt = async () => {
    const unopened = [...videos(), ...audios()].filter(
      (element) => sourcesOf(element) !== (players.get(element)?.sources ?? ''),
    );
    if (unopened.length === 0) return false;
    const opened = await Promise.all(unopened.map((element) => openPlayer(element, openMedia, screenOf)));
    for (const element of unopened) players.delete(element);
    for (const player of opened) {
      if (!player) continue;
      players.set(player.element, player);
      followClock(player, elapsed);
    }
    return true;
  };

  // Files never play, neither by themselves nor for scripts: their time is the composition's.
  let isOpen = false;
  window.HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
    return this.srcObject && !isOpen ? play.call(this) : Promise.resolve();
  };
  stopAutoplay(window);
  ignoreMissingValues(window);
  keepMediaBlobs(window);

  return {
    players,
    videos,
    adopt,
    async open(how, since) {
      openMedia = how;
      elapsed = since;
      await adopt();
      isOpen = true;
    },
  };
}

/** Media with `autoplay` would play in real time until it gets the frames of the composition. */
function stopAutoplay(window: Window & typeof globalThis): void {
  const { pause } = window.HTMLMediaElement.prototype;
  const stopped = new WeakSet<EventTarget>();
  const listen = (type: string, listener: (media: HTMLMediaElement, event: Event) => void) =>
    window.addEventListener(
      type,
      (event) => {
        const { target } = event;
        if (target instanceof window.HTMLMediaElement && !target.srcObject) listener(target, event);
      },
      true,
    );
  listen('play', (media) => {
    stopped.add(media);
    pause.call(media);
  });
  // The page has not paused it.
  listen('pause', (media, event) => {
    if (stopped.delete(media)) event.stopImmediatePropagation();
  });
}

/**
 * Returns a function that reports whether a script has read frames of a video since this call, for a canvas or a texture. Those
 * must be in the page even if the video is covered.
 */
function watchVideoReads(window: Window & typeof globalThis): (video: HTMLVideoElement) => boolean {
  const read = new WeakSet<object>();
  const watch = (holder: object | undefined, name: string): void => {
    const original: unknown = holder && Reflect.get(holder, name);
    if (!holder || typeof original !== 'function') return;
    Reflect.set(holder, name, function (this: unknown, ...args: unknown[]) {
      for (const arg of args) if (arg instanceof window.HTMLVideoElement) read.add(arg);
      return original.apply(this, args);
    });
  };
  const { CanvasRenderingContext2D: canvas, OffscreenCanvasRenderingContext2D: offscreen } = window;
  for (const context of [canvas, offscreen]) {
    for (const name of ['drawImage', 'createPattern']) watch(context?.prototype, name);
  }
  for (const context of [window.WebGLRenderingContext, window.WebGL2RenderingContext]) {
    for (const name of ['texImage2D', 'texSubImage2D', 'texSubImage3D']) watch(context?.prototype, name);
  }
  watch(window, 'createImageBitmap');
  return (video) => read.has(video);
}
