import type { Feature } from '../feature.ts';

export const analyser: Feature = {
  name: 'analyser',
  about: 'Analysers of the sound of media elements and of decoded sounds, for visualizers',
  share: 'decision: visualizers follow the time of the video',
};
