// The images of the page: frames wait until those of styles are decoded.
import type { PagePart } from '../../runtime/pagePart.ts';
import { watchCssImages } from './cssImages.ts';

/** Some of them may still be loading. */
export type PageImages = {
  /** The `<img>` elements and the `<image>` elements of drawings, also those in shadow trees. */
  images(): readonly (HTMLImageElement | SVGImageElement)[];
  /** Images of styles, and posters of videos. */
  styleImages(): readonly HTMLImageElement[];
};

export const imagesInPage: PagePart = {
  install({ window, assets }) {
    const ofStyles = watchCssImages(window.document, assets.trees);
    const handle: PageImages = {
      images: () => [...assets.images(), ...assets.svgImages()],
      styleImages: () => [...assets.styleImages, ...ofStyles.images()],
    };
    return { handle, pending: ofStyles.pending };
  },
};
