// Animated images (gif, webp, apng, avif) show the frame at their clip's time. Browsers would play them in real time.
import type { Clips } from './clipVisibility.ts';
import { openStills, type Stills } from './stills.ts';

export type AnimatedImages = {
  /** Resolves when each animated image shows its frame at `ms` of the top-level time. */
  show(ms: number): Promise<void>;
};

export function createAnimatedImages(images: () => HTMLImageElement[], clips: Clips): AnimatedImages {
  const files = new Map<string, Promise<Stills | null>>();
  const contents = new WeakMap<HTMLImageElement, string>();

  const stillsOf = (url: string): Promise<Stills | null> => {
    // If the file cannot be read, the browser keeps playing it.
    const stills = files.get(url) ?? openStills(url).catch(() => null);
    files.set(url, stills);
    return stills;
  };
  /** CSS `content` changes only what is shown: `src`, load events and the natural size stay as the author set them. */
  const setContent = (image: HTMLImageElement, content: string): void => {
    if ((contents.get(image) ?? '') === content) return;
    contents.set(image, content);
    image.style.content = content;
  };
  const showOne = async (image: HTMLImageElement, ms: number): Promise<void> => {
    if (!image.complete || image.naturalWidth === 0) return;
    const stills = await stillsOf(image.currentSrc);
    if (!stills) return setContent(image, '');
    const url = await stills.show(frameAt(stills, ms - clips.startOf(image) * 1000));
    const density = stills.width / image.naturalWidth;
    setContent(image, density === 1 ? `url("${url}")` : `image-set(url("${url}") ${density}x)`);
  };

  return {
    async show(ms) {
      await Promise.all(images().map((image) => showOne(image, ms)));
    },
  };
}

/** The frame at `time`. An animation that has played all of its repetitions shows its last frame. */
function frameAt({ ends, plays }: Stills, time: number): number {
  const length = ends.at(-1) ?? 0;
  if (time >= length * plays) return ends.length - 1;
  const within = Math.max(0, time) % length;
  return ends.findIndex((end) => within < end);
}
