import type { Feature } from '../feature.ts';

export const repeats: Feature = {
  name: 'repeats',
  about: 'Frames without changes, which are neither drawn nor encoded again. 1 instead of 6 ms for a frame',
  share: 'not counted',
  expect: () => ({ traits: { repeats: true } }),
};
