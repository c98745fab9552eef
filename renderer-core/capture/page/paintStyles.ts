// Styles that elements have only while a frame is painted, where the browser's painting differs from the screen. Runs in the
// capture page.
import type { Replacement } from '../../page/features/capturePart.ts';
import { hooksOf } from './pageFeatures.ts';
import { ruleFor, ruleSheet } from './styleMarks.ts';

export type PaintStyles = {
  /** Sets the styles for the next rendering. Returns whether there are any. */
  set(): boolean;
  /** Replaces elements, until `remove`. */
  replace(replaced: readonly Replacement[]): void;
  /** Gives all elements their own styles and places back, before scripts run. */
  remove(): void;
  /** Styles for the time of drawing, which change no pixel. Returns whether there are any. */
  setForDrawing(): boolean;
  removeForDrawing(): void;
};

export function paintStyles(window: Window & typeof globalThis): PaintStyles {
  const [painted, drawn] = [ruleSheet(window), ruleSheet(window)];
  let replaced: readonly Replacement[] = [];
  const apply = (sheet: typeof painted, styles: readonly (readonly [Element, string])[]): boolean => {
    if (styles.length > 0) sheet.set(styles.map(([element, declarations]) => ruleFor(element, declarations)));
    return styles.length > 0;
  };
  return {
    set() {
      painted.remove();
      return apply(
        painted,
        hooksOf().flatMap((hooks) => [...(hooks.paintStyles?.() ?? [])]),
      );
    },
    replace(elements) {
      replaced = elements;
      for (const { begin } of replaced) begin();
    },
    remove() {
      painted.remove();
      for (const { end } of replaced) end();
      replaced = [];
    },
    setForDrawing: () =>
      apply(
        drawn,
        hooksOf().flatMap((hooks) => [...(hooks.drawingStyles?.() ?? [])]),
      ),
    removeForDrawing: drawn.remove,
  };
}
