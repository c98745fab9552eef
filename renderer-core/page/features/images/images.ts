import type { Feature } from '../feature.ts';

export const images: Feature = {
  name: 'images',
  about: 'Images, which are decoded in their full size before they are drawn',
  share: 'not counted',
};
