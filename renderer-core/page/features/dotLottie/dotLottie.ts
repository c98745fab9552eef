import type { Feature } from '../feature.ts';

export const dotLottie: Feature = {
  name: 'dotLottie',
  about: 'Players of dotLottie',
  share: 'not counted',
  globals: ['DotLottie'],
};
