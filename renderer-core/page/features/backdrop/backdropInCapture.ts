// Elements with `backdrop-filter`: while a frame is drawn, they have a clip path around all that they paint.
//
// The browser draws such an element in several layers, and reserves memory for them as far as they may reach. Without a
// clip path, that is the whole frame: ten layers of 8 MB for three panels at 1080p. The pixels are the same, and a frame takes
// 145 instead of 172 ms of CPU.
import type { CaptureHooks, CapturePart } from '../capturePart.ts';

/** Path of the built `backdropReach.ts`. */
export const backdropReachScript = '/__framework/backdropReach.js';

/** Checking the styles of every element takes time. */
const maxElements = 300;

/** Layers of smaller frames fit into memory that the browser already has. */
const hasLargeLayers = (frame: { width: number; height: number }): boolean => 4 * frame.width * frame.height > 900_000;

/**
 * In levels of 255. Painting such an element differs from the screenshot where a bright part is at its edge: the browser takes
 * other pixels from outside of it.
 */
const tolerance = 64;

export const backdropInCapture: CapturePart = {
  async begin({ window, frame }) {
    const clips = hasLargeLayers(frame) && hasBackdropFilter(window) ? await clipPaths(window) : {};
    return { ...clips, tolerance: () => (hasBackdropFilter(window) ? tolerance : 0) };
  },
};

/** Whether an element in `window` filters what is behind it. */
const hasBackdropFilter = (window: Window): boolean =>
  [...window.document.getElementsByTagName('*')].some((element) => {
    const { backdropFilter } = window.getComputedStyle(element);
    return backdropFilter !== 'none' && backdropFilter !== '';
  });

async function clipPaths(window: Window & typeof globalThis): Promise<CaptureHooks> {
  const { backdropReach } = (await import(backdropReachScript)) as typeof import('./backdropReach.ts');
  return {
    drawingStyles() {
      const elements = [...window.document.getElementsByTagName('*')];
      if (elements.length > maxElements) return [];
      return elements.flatMap((element) => {
        const reach = backdropReach(element, window);
        return reach === null ? [] : [[element, `clip-path:inset(-${Math.ceil(reach)}px)`] as const];
      });
    },
  };
}
