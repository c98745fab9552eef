import type { Feature } from '../feature.ts';

export const animatedImages: Feature = {
  name: 'animatedImages',
  about: 'Animated images (gif, webp, apng, avif, svg), in elements and in styles',
  share: 'not counted',
  requires: 'images',
};
