// Decodes images in their full size before they are drawn for the first time.
//
// For an image that is drawn smaller, the browser keeps a copy of a half, a quarter and so on of its size. It makes the copy from
// a larger one that it has; if it has none, it decodes JPEG files in that size, and the pixels differ a little. So the
// same frame would depend on the frames that its page has drawn before, and pages begin anywhere in a video.

import type { CapturePart } from '../capturePart.ts';
import type { PageImages } from './imagesInPage.ts';

type DrawnImage = HTMLImageElement | SVGImageElement;

/** The URLs of images when they were decoded. */
const decoded = new WeakMap<DrawnImage, string>();
let canvas: OffscreenCanvas | undefined;

/** Decodes the images of the page that are shown and that have not been decoded, and those of `styles`. */
function decodeImages(
  { innerWidth, innerHeight }: Window,
  images: readonly DrawnImage[],
  styles: readonly HTMLImageElement[],
): void {
  const isInView = (image: DrawnImage): boolean => {
    const { left, top, right, bottom } = image.getBoundingClientRect();
    return right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  };
  // Patterns and masks show images that are nowhere themselves.
  const isShown = (image: DrawnImage) =>
    'href' in image || (image.checkVisibility({ visibilityProperty: true }) && isInView(image));
  for (const image of images) if (isNew(image) && isShown(image)) decode(image);
  for (const image of styles) if (isNew(image)) decode(image);
}

const urlOf = (image: DrawnImage): string => ('href' in image ? image.href.baseVal : image.currentSrc);

const isNew = (image: DrawnImage): boolean =>
  ('href' in image || (image.complete && image.naturalWidth > 0)) && decoded.get(image) !== urlOf(image);

function decode(image: DrawnImage): void {
  decoded.set(image, urlOf(image));
  canvas ??= new OffscreenCanvas(1, 1);
  try {
    canvas.getContext('2d', { willReadFrequently: true })?.drawImage(image, 0, 0);
  } catch {
    return; // An `<image>` without a file, or with one that is broken, shows nothing.
  }
  // Drawings wait until their result is needed. Images of other origins cannot be read with `getImageData`.
  canvas.transferToImageBitmap().close();
}

export const imagesInCapture: CapturePart<PageImages> = {
  begin: ({ window }, { images, styleImages }) => ({
    beforeDrawing: () => decodeImages(window, images(), styleImages()),
  }),
};
