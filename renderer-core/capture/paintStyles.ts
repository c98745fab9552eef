// Styles that elements have only while a frame is painted, where the browser's painting differs from the screen. Runs in the
// capture page.
import { type DepthFit, fitDepth, hasDepth, planesInPage } from './depthContexts.ts';
import type { Plane } from './depthOrder.ts';
import { canvasRules } from './fitCanvases.ts';
import { ruleFor, ruleSheet } from './styleMarks.ts';

export type PaintStyles = {
  /** Whether elements are sorted by depth. Frames in which they intersect cannot be painted. */
  sortsByDepth: boolean;
  /**
   * Sets the styles for the next rendering. `changed`: whether there are any. `obstacle`: why this frame cannot be painted, or
   * null.
   */
  set(): { changed: boolean; obstacle: string | null };
  /** The elements that were sorted by depth for the last frame, in pixels of the frame. */
  planes(): Plane[];
  /** Gives all elements their own styles back, before scripts run. */
  remove(): void;
};

export function paintStyles(window: Window & typeof globalThis): PaintStyles {
  const sortsByDepth = hasDepth(window);
  const { set, remove } = ruleSheet(window);
  let depth: DepthFit = { styles: new Map(), obstacle: null, contexts: [] };
  return {
    sortsByDepth,
    set() {
      remove();
      // Depth depends on the authors' transforms of canvases, so both read styles before rules are set.
      if (sortsByDepth) depth = fitDepth(window);
      const rules = canvasRules(window);
      for (const [element, declarations] of depth.styles) rules.push(ruleFor(element, declarations));
      if (rules.length > 0) set(rules);
      return { changed: rules.length > 0, obstacle: depth.obstacle };
    },
    planes: () => planesInPage(depth, window),
    remove,
  };
}
