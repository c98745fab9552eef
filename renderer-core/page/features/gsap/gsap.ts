import type { Feature } from '../feature.ts';

export const gsap: Feature = {
  name: 'gsap',
  about: 'Timelines of GSAP',
  share: 'not counted',
  globals: ['gsap'],
};
