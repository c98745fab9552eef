import { type Feature, mentions } from '../feature.ts';

const transitions = /startViewTransition/i;
const overlays = /showModal|popover/i;

export const topLayer: Feature = {
  name: 'topLayer',
  about: 'Modal dialogs, popovers and view transitions',
  share: 'not counted',
  expect: (graph) => {
    const hasTransitions = mentions(graph, transitions);
    return {
      // Without it, the browser sometimes composes the next frame before it has copied the images with which a transition
      // starts, which are then missing.
      needs: { displayRate: hasTransitions },
      // The browser crashes when it paints some of them. So the text decides: the page could not say it any more.
      traits: hasTransitions || mentions(graph, overlays) ? { lookAhead: 'always' } : {},
    };
  },
};
