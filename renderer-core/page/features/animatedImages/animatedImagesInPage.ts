// Animated image files show the frame at the time of the video. Browsers would play them in real time.
import type { PagePart } from '../../runtime/pagePart.ts';
import type { PageImages } from '../images/imagesInPage.ts';
import { createAnimatedElements } from './animatedElements.ts';
import { createAnimatedStyles } from './animatedStyles.ts';
import { createMovingFiles } from './movingFiles.ts';

export const animatedImagesInPage: PagePart = {
  install({ window, clips, assets, handles }) {
    const { styleImages } = handles.images as PageImages;
    const files = createMovingFiles();
    const elements = createAnimatedElements(assets.images, assets.svgImages, clips, files);
    const styles = createAnimatedStyles(window.document, assets.trees, styleImages, files);
    return {
      async settle(ms) {
        const shown = await Promise.all([elements.show(ms), styles.show(ms)]);
        await files.free(new Set(shown.flat()));
      },
    };
  },
};
