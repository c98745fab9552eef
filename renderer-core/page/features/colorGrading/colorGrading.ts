import type { Feature } from '../feature.ts';

export const colorGrading: Feature = {
  name: 'colorGrading',
  about: 'Elements with a color grading',
  share: 'not counted',
};
