// Animated images (gif, webp, apng, avif, svg) show the frame at their clip's time. Browsers would play them in real time.
import type { Clips } from './clipVisibility.ts';
import type { MovingImage, Player } from './control.ts';
import { openStills, type Stills } from './stills.ts';

export type AnimatedImages = {
  /** Resolves when each animated image shows its frame at `ms` of the top-level time. */
  show(ms: number): Promise<void>;
};

/** `openSvg` is undefined if the page shows no SVG files. */
export function createAnimatedImages(
  images: () => HTMLImageElement[],
  clips: Clips,
  openSvg: () => Player['openSvg'],
): AnimatedImages {
  const files = new Map<string, Promise<MovingImage | null>>();
  const contents = new WeakMap<HTMLImageElement, string>();
  /** The URL in `content`, while there is one. */
  const shownUrls = new WeakMap<HTMLImageElement, string>();

  const fileOf = (url: string): Promise<MovingImage | null> => {
    // If the file cannot be read, the browser keeps playing it.
    const file = files.get(url) ?? openImage(url, openSvg()).catch(() => null);
    files.set(url, file);
    return file;
  };
  /** CSS `content` changes only what is shown: `src`, load events and the natural size stay as the author set them. */
  const setContent = (image: HTMLImageElement, content: string): void => {
    if ((contents.get(image) ?? '') === content) return;
    contents.set(image, content);
    image.style.content = content;
  };
  const showOne = async (image: HTMLImageElement, ms: number): Promise<void> => {
    if (!image.complete || image.naturalWidth === 0) return;
    const file = await fileOf(urlOf(image));
    if (!file) {
      shownUrls.delete(image);
      return setContent(image, '');
    }
    const url = await file.show(ms - clips.startOf(image) * 1000);
    const density = (file.width ?? image.naturalWidth) / image.naturalWidth;
    shownUrls.set(image, url);
    setContent(image, density === 1 ? `url("${url}")` : `image-set(url("${url}") ${density}x)`);
  };

  return {
    async show(ms) {
      const all = images();
      await Promise.all(all.map((image) => showOne(image, ms)));
      const shown = new Set(all.flatMap((image) => shownUrls.get(image) ?? []));
      for (const file of files.values()) await (await file)?.free(shown);
    },
  };
}

/** `currentSrc` of all images of a file has the fragment of the first one. */
function urlOf({ src, currentSrc }: HTMLImageElement): string {
  const [own, current] = [src, currentSrc].map((url) => url.replace(/#.*/, ''));
  return own === current ? src : currentSrc;
}

/** Returns null if the image does not change over time. Rejects for files of other origins without CORS. */
async function openImage(url: string, openSvg: Player['openSvg']): Promise<MovingImage | null> {
  const response = await fetch(url);
  const type = (response.headers.get('content-type') ?? '').replace('apng', 'png');
  if (openSvg && type.startsWith('image/svg')) return openSvg(await response.text(), new URL(url).hash);
  const stills = await openStills(response, type);
  return stills && { width: stills.width, show: (ms) => stills.show(frameAt(stills, ms)), free: stills.free };
}

/** The frame at `time`. An animation that has played all of its repetitions shows its last frame. */
function frameAt({ ends, plays }: Stills, time: number): number {
  const length = ends.at(-1) ?? 0;
  if (time >= length * plays) return ends.length - 1;
  const within = Math.max(0, time) % length;
  return ends.findIndex((end) => within < end);
}
