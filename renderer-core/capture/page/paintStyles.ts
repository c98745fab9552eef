// Styles that elements have only while a frame is painted, where the browser's painting differs from the screen. Runs in the
// capture page.
import { hooksOf } from './pageFeatures.ts';
import { ruleFor, ruleSheet } from './styleMarks.ts';

export type PaintStyles = {
  /** Sets the styles for the next rendering. Returns whether there are any. */
  set(): boolean;
  /** Gives all elements their own styles back, before scripts run. */
  remove(): void;
  /** `more` styles, and those for the time of drawing, which change no pixel. Returns whether there are any. */
  setForDrawing(more: readonly (readonly [Element, string])[]): boolean;
  removeForDrawing(): void;
};

export function paintStyles(window: Window & typeof globalThis): PaintStyles {
  const [painted, drawn] = [ruleSheet(window), ruleSheet(window)];
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
    remove: painted.remove,
    setForDrawing: (more) =>
      apply(drawn, [...hooksOf().flatMap((hooks) => [...(hooks.drawingStyles?.() ?? [])]), ...more]),
    removeForDrawing: drawn.remove,
  };
}
