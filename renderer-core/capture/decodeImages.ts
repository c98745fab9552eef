// Decodes images in their full size before they are drawn for the first time. Runs in the capture page.
//
// For an image that is drawn smaller, the browser keeps a copy of a half, a quarter and so on of its size. It makes the copy from
// a larger one that it has; if it has none, it decodes JPEG files in that size, and the pixels differ a little. So the
// same frame would depend on the frames that its page has drawn before, and pages begin anywhere in a video.

/** The URLs of images when they were decoded. */
const decoded = new WeakMap<HTMLImageElement, string>();
let canvas: OffscreenCanvas | undefined;

/** Decodes the images of the page that are shown and that have not been decoded, and those of `styles`. */
export function decodeImages({ document, innerWidth, innerHeight }: Window, styles: readonly HTMLImageElement[]): void {
  const isInView = (image: HTMLImageElement): boolean => {
    const { left, top, right, bottom } = image.getBoundingClientRect();
    return right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  };
  for (const image of document.images)
    if (isNew(image) && image.checkVisibility({ visibilityProperty: true }) && isInView(image)) decode(image);
  for (const image of styles) if (isNew(image)) decode(image);
}

const isNew = (image: HTMLImageElement): boolean =>
  image.complete && image.naturalWidth > 0 && decoded.get(image) !== image.currentSrc;

function decode(image: HTMLImageElement): void {
  decoded.set(image, image.currentSrc);
  canvas ??= new OffscreenCanvas(1, 1);
  canvas.getContext('2d', { willReadFrequently: true })?.drawImage(image, 0, 0);
  // Drawings wait until their result is needed. Images of other origins cannot be read with `getImageData`.
  canvas.transferToImageBitmap().close();
}
