// Elements in 3D in painted frames: the order in which they are painted, and their edges in comparisons.
import type { CapturePart } from '../capturePart.ts';
import { type DepthFit, fitDepth, hasDepth, planesInPage } from './depthContexts.ts';

export const depthInCapture: CapturePart = {
  isNeeded: ({ window }) => hasDepth(window),
  begin({ window, toFrame }) {
    if (!hasDepth(window)) return undefined;
    let fit: DepthFit = { styles: new Map(), obstacle: null, contexts: [] };
    return {
      // Elements may intersect in some frames, which cannot be painted.
      traits: { lookAhead: 'forParts', isCoarse: true },
      paintStyles() {
        fit = fitDepth(window);
        return fit.styles;
      },
      obstacle: () => fit.obstacle,
      comparison: () => planesInPage(fit, window).map((plane) => plane.map(toFrame)),
    };
  },
};
