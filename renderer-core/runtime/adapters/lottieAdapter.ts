// lottie-web: its own loop is stopped, and each animation goes on by the time that has passed since its clip began.
import type { Clips } from './clips.ts';
import { type Adapter, watchGlobal } from './players.ts';

type LottieItem = {
  wrapper?: Element;
  isLoaded: boolean;
  isPaused: boolean;
  totalFrames: number;
  frameRate: number;
  playSpeed: number;
  loop: boolean | number;
  autoplay: boolean;
  /** Goes on by milliseconds, as the library's own loop makes it do: loops, segments and events are its business. */
  advanceTime(elapsed: number): void;
  checkLoaded(): void;
  imagePreloader?: { loadedImages(): boolean };
  renderer?: { globalData?: { fontManager?: { isLoaded: boolean } } };
};

type Lottie = { freeze?(): void; searchAnimations?(): void; getRegisteredAnimations?(): LottieItem[] };

/** Ahead of the exact time, in milliseconds: the sums must not end a hair short of a frame at which a layer comes in. */
const lead = 1e-6;

export function createLottieAdapter(page: Window, clips: Clips): Adapter<LottieItem> {
  const loaded = new Set<Lottie>();
  const searched = new WeakSet<Lottie>();
  const begun = new WeakSet<LottieItem>();
  for (const name of ['lottie', 'bodymovin']) {
    watchGlobal<Lottie>(page, name, (lottie) => {
      // A release from before its loop could be stopped follows the page's clock by itself.
      if (lottie?.freeze) {
        loaded.add(lottie);
        lottie.freeze();
      }
      return lottie;
    });
  }
  /** What the markup names is looked for by the library too, but only after the first frame. */
  const search = (lottie: Lottie): void => {
    if (searched.has(lottie) || page.document.readyState !== 'complete') return;
    searched.add(lottie);
    lottie.searchAnimations?.();
  };
  return {
    find: () =>
      [...loaded].flatMap((lottie) => {
        search(lottie);
        return lottie.getRegisteredAnimations?.() ?? [];
      }),
    origin: (item, host) => {
      const element = item.wrapper ?? host;
      return element ? clips.startOf(element) * 1000 : 0;
    },
    length: (item) =>
      item.loop === true || !item.autoplay || item.totalFrames === 0
        ? null
        : ((1 + Number(item.loop)) * item.totalFrames * 1000) / (item.frameRate * Math.abs(item.playSpeed)),
    isLoading(item) {
      // Nothing is known of it yet: its file is on the way, or could not be loaded.
      if (item.totalFrames === 0) return false;
      const fonts = item.renderer?.globalData?.fontManager;
      if (fonts && !fonts.isLoaded && page.document.fonts.status === 'loaded') {
        // It would look again after a time that does not pass before the first frame.
        fonts.isLoaded = true;
        item.checkLoaded();
      }
      return !item.isLoaded || item.imagePreloader?.loadedImages() === false;
    },
    isPlaying: ({ isPaused }) => !isPaused,
    advance(item, elapsed) {
      if (elapsed <= 0) return;
      item.advanceTime(begun.has(item) ? elapsed : elapsed + lead);
      begun.add(item);
    },
  };
}
