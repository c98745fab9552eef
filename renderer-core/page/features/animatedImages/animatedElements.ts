// Elements with animated images (gif, webp, apng, avif, svg) show the frame at their clip's time.

import type { Clips } from '../../runtime/clipVisibility.ts';
import type { SvgImage } from '../../runtime/waiting/assetLoader.ts';
import type { MovingFiles } from './movingFiles.ts';

export type AnimatedElements = {
  /** Resolves when each animated image shows its frame at `ms` of the top-level time. Returns the URLs of the frames. */
  show(ms: number): Promise<string[]>;
};

/** `drawn`: the `<image>` elements of drawings. */
export function createAnimatedElements(
  images: () => HTMLImageElement[],
  drawn: () => SvgImage[],
  clips: Clips,
  files: MovingFiles,
): AnimatedElements {
  /** The values of `content`, and how the browser writes them. */
  const contents = new WeakMap<HTMLImageElement, { content: string; written: string }>();
  /** The addresses that the author gave to elements, and what they have now. */
  const addresses = new WeakMap<SvgImage, { own: string; shown: string }>();

  /** CSS `content` changes only what is shown: `src`, load events and the natural size stay as the author set them. */
  const setContent = (image: HTMLImageElement, content: string): void => {
    const known = contents.get(image);
    // A script may have set all styles of the element since the last frame.
    if (known ? known.content === content && known.written === image.style.content : content === '') return;
    image.style.content = content;
    contents.set(image, { content, written: image.style.content });
  };
  const showOne = async (image: HTMLImageElement, ms: number): Promise<string[]> => {
    if (!image.complete || image.naturalWidth === 0) return [];
    const file = await files.open(urlOf(image));
    if (!file) {
      setContent(image, '');
      return [];
    }
    const url = await file.show(ms - clips.startOf(image) * 1000);
    const density = (file.width ?? image.naturalWidth) / image.naturalWidth;
    setContent(image, density === 1 ? `url("${url}")` : `image-set(url("${url}") ${density}x)`);
    return [url];
  };
  const showDrawn = async (image: SvgImage, ms: number): Promise<string[]> => {
    const { baseVal, animVal } = image.href;
    const known = addresses.get(image);
    // A script may have given the element another address since the last frame.
    const own = known?.shown === baseVal ? known.own : baseVal;
    const file =
      own !== '' && URL.canParse(own, image.baseURI) ? await files.open(new URL(own, image.baseURI).href) : null;
    if (!file || baseVal !== animVal) return [];
    const shown = await file.show(ms - clips.startOf(image) * 1000);
    addresses.set(image, { own, shown });
    if (baseVal === shown) return [shown];
    image.href.baseVal = shown;
    // The frame is the runtime's own: decoding fails only if a script changes the address meanwhile.
    await image.decode().catch(() => undefined);
    return [shown];
  };

  return {
    async show(ms) {
      const shown = [...images().map((image) => showOne(image, ms)), ...drawn().map((image) => showDrawn(image, ms))];
      return (await Promise.all(shown)).flat();
    },
  };
}

/** `currentSrc` of all images of a file has the fragment of the first one. */
function urlOf({ src, currentSrc }: HTMLImageElement): string {
  const [own, current] = [src, currentSrc].map((url) => url.replace(/#.*/, ''));
  return own === current ? src : currentSrc;
}
