// Fast path `clipped-backdrops`: while a frame is drawn, elements with `backdrop-filter` have a clip path around all that they
// paint. Runs in the capture page.
//
// The browser draws such an element in several layers, and reserves memory for them as far as they may reach. Without a
// clip path, that is the whole frame: ten layers of 8 MB for three panels at 1080p. The pixels are the same.
import { hasBackdropFilter } from '../backdropFilters.ts';
import { ruleFor, ruleSheet } from '../styleMarks.ts';

export type BackdropClips = {
  /** Whether any element has a clip path in the next rendering. */
  set(): boolean;
  /** Removes the clip paths, before scripts run. */
  remove(): void;
};

/** Checking the styles of every element takes time. */
const maxElements = 300;

/** Layers of smaller frames fit into memory that the browser already has, as bands do (banding.ts). */
export const hasLargeLayers = (frame: { width: number; height: number }): boolean =>
  4 * frame.width * frame.height > 900_000;

/** `script`: path of the built `backdropReach.ts`. Undefined for a page without such elements. */
export async function backdropClips(
  window: Window & typeof globalThis,
  script: string,
): Promise<BackdropClips | undefined> {
  if (!hasBackdropFilter(window)) return undefined;
  const { backdropReach } = (await import(script)) as typeof import('./backdropReach.ts');
  const { set, remove } = ruleSheet(window);
  return {
    set() {
      const elements = [...window.document.getElementsByTagName('*')];
      if (elements.length > maxElements) return false;
      const rules = elements.flatMap((element) => {
        const reach = backdropReach(element, window);
        return reach === null ? [] : [ruleFor(element, `clip-path:inset(-${Math.ceil(reach)}px)`)];
      });
      if (rules.length > 0) set(rules);
      return rules.length > 0;
    },
    remove,
  };
}
