// lottie-web: its loop is stopped. Each animation is advanced by the time that has passed since its clip started.
import type { Clips } from '../../runtime/clipVisibility.ts';
import type { PagePart } from '../../runtime/pagePart.ts';
import { type Adapter, watchGlobal } from '../../runtime/time/libraryPlayers.ts';

type LottieItem = {
  wrapper?: Element;
  isLoaded: boolean;
  isPaused: boolean;
  totalFrames: number;
  frameRate: number;
  playSpeed: number;
  loop: boolean | number;
  autoplay: boolean;
  /** Advances by milliseconds, as the library's loop does; handles loops, segments and events. */
  advanceTime(elapsed: number): void;
  checkLoaded(): void;
  imagePreloader?: { loadedImages(): boolean };
  renderer?: { globalData?: { fontManager?: { isLoaded: boolean } } };
};

type Lottie = { freeze?(): void; searchAnimations?(): void; getRegisteredAnimations?(): LottieItem[] };

/** In milliseconds. Added to the time, because rounding errors of the sum must not hide a layer in its first frame. */
const lead = 1e-6;

function createLottieAdapter(page: Window, clips: Clips): Adapter<LottieItem> {
  const loaded = new Set<Lottie>();
  const searched = new WeakSet<Lottie>();
  const begun = new WeakSet<LottieItem>();
  for (const name of ['lottie', 'bodymovin']) {
    watchGlobal<Lottie>(page, name, (lottie) => {
      // Releases without `freeze` use the page's clock.
      if (lottie?.freeze) {
        loaded.add(lottie);
        lottie.freeze();
      }
      return lottie;
    });
  }
  /** Searches the markup for animations. The library does this too, but only after the first frame. */
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
    origin: ({ wrapper }, host) => clips.startOf(wrapper ?? host) * 1000,
    length: (item) =>
      item.loop === true || !item.autoplay || item.totalFrames === 0
        ? null
        : ((1 + Number(item.loop)) * item.totalFrames * 1000) / (item.frameRate * Math.abs(item.playSpeed)),
    isLoading(item) {
      // Its file is being requested (see readiness.ts) or could not be loaded.
      if (item.totalFrames === 0) return false;
      const fonts = item.renderer?.globalData?.fontManager;
      if (fonts && !fonts.isLoaded && page.document.fonts.status === 'loaded') {
        // The library would check again after a delay, but no time passes before the first frame.
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

export const lottieInPage: PagePart = {
  install: ({ window, clips }) => ({ adapter: createLottieAdapter(window, clips) }),
};
