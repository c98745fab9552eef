// Video and audio elements on the composition's clock: opens their files, shows their frames and records their volumes.
import { containsTime } from '../../../model/timing.ts';
import type { OpenMedia } from '../../runtime/control.ts';
import type { PagePart } from '../../runtime/pagePart.ts';
import { finder, type Trees } from '../../runtime/shadowRoots.ts';
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
import { shapeOf } from './soundShapes.ts';
import { createScreen } from './videoScreen.ts';

/** Shows the frames of one of the videos elsewhere than in the page. */
export type Diversion = {
  /** Chooses one of the videos that are shown, in the order in which they were opened. */
  choose(showing: readonly MediaPlayer[]): MediaPlayer | undefined;
  /** Shows the frame at `seconds` of its file. `isNew`: its last frame is in the page. */
  show(player: MediaPlayer, seconds: number, isNew: boolean): Promise<void>;
  /** Called when all videos have been shown, with the one that was chosen. */
  done(player: MediaPlayer | undefined): void;
};

/** What other features may ask of the videos. */
export type Videos = {
  hasVideos(): boolean;
  /** Whether there is a video with a file. */
  hasFrames(): boolean;
  /** Whether a script has read frames of a video, which must be in the page. */
  isRead(video: HTMLVideoElement): boolean;
  divert(diversion: Diversion): void;
  /** All videos and sounds with files. */
  all(): readonly MediaPlayer[];
  /** The videos of the current frame. */
  showing(): readonly MediaPlayer[];
  /** The position in the file of an element that is heard at a time; undefined if it is not. */
  position(element: Element, seconds: number): number | undefined;
};

export const videoInPage: PagePart = {
  install({ window, clips, assets, own, now }) {
    const isRead = watchVideoReads(window);
    const elapsed: Elapsed = (element) => now() - clips.timeOf(element).start;
    const { players, videos, open, adopt } = createPlayers(window, assets.trees, own.setTimeout, elapsed);
    const withScreen = () => [...players.values()].filter(({ screen }) => screen);
    const hasVideos = () => videos().length > 0;
    const hasFrames = () => withScreen().length > 0;
    let diversion: Diversion | undefined;
    let showing: MediaPlayer[] = [];
    let hasChanged = false;
    const handle: Videos = {
      hasVideos,
      hasFrames,
      isRead,
      divert(given) {
        diversion = given;
      },
      all: () => [...players.values()],
      showing: () => showing,
      position(element, seconds) {
        const player = players.get(element);
        const { start, shows } = clips.timeOf(element);
        return player && containsTime(shows, seconds) ? mediaTime(player, seconds - start) : undefined;
      },
    };
    return {
      handle,
      open,
      adopt,
      naturalDuration(element) {
        const player = players.get(element);
        return player && naturalDuration(player);
      },
      async show(seconds, passing) {
        for (const player of players.values()) recordVolume(player, seconds);
        // In passed frames, only scripts that read videos see them.
        showing = withScreen().filter(
          ({ element }) =>
            containsTime(clips.timeOf(element).shows, seconds) && (!passing || isRead(element as HTMLVideoElement)),
        );
        const diverted = passing ? undefined : diversion?.choose(showing);
        const work = showing.map((player) => {
          const at = mediaTime(player, seconds - clips.timeOf(player.element).start);
          return player === diverted && diversion ? divertFrame(player, at, diversion) : showInPage(player, at);
        });
        const changed = (await Promise.all(work)).includes(true);
        if (!passing) hasChanged = changed;
        diversion?.done(diverted);
      },
      override: ({ rendersOnPaint }) => ({
        async arrived(isUnwanted) {
          await Promise.all(showing.map(({ screen }) => screen?.arrived(isUnwanted)));
        },
        sounds() {
          const audible = [...players.values()].filter((player) => player.audible);
          return audible.map((player) => {
            const shape = shapeOf(player.element, audible, clips);
            return { ...soundOf(player, clips), ...(shape ? { shape } : {}) };
          });
        },
        // The changes of a video without a file, for example a stream, cannot be detected.
        rendersOnPaint: () => !hasChanged && videos().length <= withScreen().length && rendersOnPaint(),
      }),
    };
  },
};

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
  /** Opens the files of all media elements, after scripts and variables have set their sources. */
  open(openMedia: OpenMedia): Promise<void>;
  /** Opens files of elements that scripts have added or changed since. Returns whether there were any. */
  adopt(): Promise<boolean>;
};

/** Opens the files of media elements. */
function createPlayers(
  window: Window & typeof globalThis,
  trees: Trees,
  timeout: typeof setTimeout,
  elapsed: Elapsed,
): Players {
  const { play } = window.HTMLMediaElement.prototype;
  const videos = finder<HTMLVideoElement>(window.document, trees, 'video');
  const audios = finder<HTMLAudioElement>(window.document, trees, 'audio');
  const players = new Map<Element, MediaPlayer>();
  let openMedia: OpenMedia = () => Promise.reject(new Error('not open'));

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
    async open(how) {
      openMedia = how;
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
