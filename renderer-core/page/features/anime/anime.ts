import type { Feature } from '../feature.ts';

export const anime: Feature = {
  name: 'anime',
  about: 'Animations of anime.js 4',
  share: 'not counted',
  globals: ['anime'],
};
