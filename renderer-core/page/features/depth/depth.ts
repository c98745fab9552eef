import type { Feature } from '../feature.ts';

export const depth: Feature = {
  name: 'depth',
  about: 'Elements in 3D: `transform-style: preserve-3d` and `backface-visibility: hidden`',
  share: 'not counted',
};
