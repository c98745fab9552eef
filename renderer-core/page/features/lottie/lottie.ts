import type { Feature } from '../feature.ts';

export const lottie: Feature = {
  name: 'lottie',
  about: 'Animations of lottie-web',
  share: 'not counted',
  globals: ['bodymovin', 'lottie'],
};
