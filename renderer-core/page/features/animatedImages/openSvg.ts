// Opens SVG files, whose animations follow the composition's clock. Browsers move them in real time, and scripts cannot reach them inside an image. So the image shows
// another file for each frame: the same drawing, in which all animations stand still at this time.

import { cssStopper } from './cssAnimations.ts';
import { keepImages, loadImage } from './keptImages.ts';
import type { MovingImage } from './movingImage.ts';
import { smilStopper } from './smilElements.ts';

/** Animations of SVG or of CSS. */
const animations = /<(?:\w+:)?(?:animate(?:Transform|Motion|Color)?|set)[\s/>]|@(?:-webkit-)?keyframes\s/;

/** Returns null if the file has no animations. `fragment`: the part of its URL that selects what is shown; may be empty. */
export function openSvg(text: string, fragment: string): MovingImage | null {
  if (!animations.test(text)) return null;
  const svg = new DOMParser().parseFromString(text, 'image/svg+xml');
  // Browsers show nothing for an element that is not in the namespace of SVG.
  if (!(svg.documentElement instanceof SVGSVGElement) || svg.querySelector('parsererror')) return null;
  const stops = [smilStopper(svg), cssStopper(svg)];
  const kept = keepImages<string>(0);
  return {
    width: null,
    show(ms) {
      for (const stop of stops) stop(Math.max(0, ms) / 1000);
      const stopped = new XMLSerializer().serializeToString(svg);
      return kept.url(stopped, () => loadImage(new Blob([stopped], { type: 'image/svg+xml' }), fragment));
    },
    free: kept.free,
  };
}
