import type { Feature } from '../feature.ts';

export const canvas: Feature = {
  name: 'canvas',
  about: 'Canvases, and their drawings in frames that are only passed',
  share: 'not counted',
};
