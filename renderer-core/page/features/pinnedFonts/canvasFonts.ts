// Rewrites the fonts that scripts set on canvases.
import { pinnedList } from '../../../model/fonts/familyList.ts';
import { fallbackFonts } from '../../runtime/page.ts';

import type { DrawnText } from './textFonts.ts';

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** `onText` is called for text that is drawn. */
export function pinCanvasFonts(window: Window & typeof globalThis, onText: (drawn: DrawnText) => void): void {
  /** The families after the author's own, which canvases do not take from a custom property. */
  let fallback: string | undefined;
  const fallbackList = (): string => {
    const { documentElement } = window.document;
    fallback ||= window.getComputedStyle(documentElement).getPropertyValue(fallbackFonts).trim();
    return fallback;
  };
  for (const { prototype } of [window.CanvasRenderingContext2D, window.OffscreenCanvasRenderingContext2D]) {
    const property = Object.getOwnPropertyDescriptor(prototype, 'font');
    const { get, set } = property ?? {};
    if (!property || !get || !set) continue;
    /** What scripts have set, as they read it. */
    const given = new WeakMap<Context, { font: string; pinned: string }>();
    /** The fallback as browsers write it, with a comma before it. */
    let ending: string | undefined;
    const pin = (context: Context): void => {
      const font: string = get.call(context);
      if (ending !== undefined && font.endsWith(ending)) return;
      const { before, list } = partsOf(font);
      if (ending === undefined) {
        set.call(context, `${before} x, ${fallbackList()}`);
        ending = partsOf(get.call(context)).list.slice(1);
      }
      set.call(context, `${before} ${pinnedList(list, fallbackList())}`);
      given.set(context, { font, pinned: get.call(context) });
    };
    Object.defineProperty(prototype, 'font', {
      ...property,
      get(this: Context): string {
        const current: string = get.call(this);
        const known = given.get(this);
        if (known?.pinned === current) return known.font;
        // After `restore`.
        return ending !== undefined && current.endsWith(ending) ? current.slice(0, -ending.length) : current;
      },
      set(this: Context, font: string) {
        set.call(this, font);
        pin(this);
      },
    });
    for (const name of ['fillText', 'strokeText', 'measureText'] as const) {
      const draw = prototype[name] as (...args: unknown[]) => unknown;
      // Contexts begin with 10px sans-serif, and return to it.
      Object.assign(prototype, {
        [name](this: Context, ...args: unknown[]) {
          pin(this);
          if (name !== 'measureText')
            onText({
              text: String(args[0]),
              font: get.call(this),
              canvas: 'getAttribute' in this.canvas ? this.canvas : null,
            });
          return draw.apply(this, args);
        },
      });
    }
  }
}

/** Splits a font as browsers write it: `italic 700 20px / 1.2 Arial, sans-serif`. */
function partsOf(font: string): { before: string; list: string } {
  const [, before = '10px', list = font] = /^(.*?\d(?:px|em|rem|%)(?:\s*\/\s*\S+)?)\s+(.*)$/.exec(font) ?? [];
  return { before, list };
}
