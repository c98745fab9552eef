import type { Feature } from '../feature.ts';

export const captions: Feature = {
  name: 'captions',
  about: 'Captions of WebVTT and SRT files',
  share: 'decision: captions are part of the format',
};
