import { type Feature, mentions } from '../feature.ts';

export const webgl: Feature = {
  name: 'webgl',
  about: 'Canvases with WebGL',
  share: 'not counted',
  globals: ['THREE'],
  // The page says whether this is right.
  expect: (graph) => (mentions(graph, /webgl|three(\.module)?(\.min)?\.js/i) ? { needs: { graphics3d: true } } : {}),
};
