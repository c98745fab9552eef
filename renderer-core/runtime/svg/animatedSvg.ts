// Entry point of the script that runs after the runtime in pages that seem to show SVG files: animations in them follow the
// composition's clock. Browsers move them in real time, and scripts cannot reach them inside an image. So the image shows
// another file for each frame: the same drawing, in which all animations stand still at this time.
import { isAnimatedSvg } from '../../model/svgAnimations.ts';
import type { MovingImage } from '../control.ts';
import { playerOf } from '../skippedDrawings.ts';
import { cssStopper } from './cssAnimations.ts';
import { smilStopper } from './smilElements.ts';

/** The last ones stay loaded: an image may be shown in several places, with different clips around it. */
const maxKept = 8;

/** Returns null if the file has no animations. `fragment`: the part of its URL that selects what is shown; may be empty. */
function openSvg(text: string, fragment: string): MovingImage | null {
  if (!isAnimatedSvg(text)) return null;
  const svg = new DOMParser().parseFromString(text, 'image/svg+xml');
  if (svg.documentElement.localName !== 'svg' || svg.querySelector('parsererror')) return null;
  const stops = [smilStopper(svg), cssStopper(svg)];
  const kept = new Map<string, Promise<HTMLImageElement>>();
  return {
    width: null,
    async show(ms) {
      for (const stop of stops) stop(Math.max(0, ms) / 1000);
      const stopped = new XMLSerializer().serializeToString(svg);
      const image = kept.get(stopped) ?? load(stopped, fragment);
      kept.delete(stopped);
      kept.set(stopped, image);
      for (const [oldest, removed] of kept) {
        if (kept.size <= maxKept) break;
        kept.delete(oldest);
        void removed.then(({ src }) => URL.revokeObjectURL(src.replace(/#.*/, '')));
      }
      return (await image).src;
    },
  };
}

async function load(svg: string, fragment: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' })) + fragment;
  await image.decode();
  return image;
}

const player = playerOf(window);
if (player) player.openSvg = openSvg;
