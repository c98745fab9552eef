// Gives shadow roots the browser's own fonts as named families: styles of the page do not apply in them.
import { browserFonts } from '../../../model/fonts/browserFonts.ts';
import { fallbackFonts, ownFonts } from '../../runtime/page.ts';
import { watchShadowRoots } from '../../runtime/shadowRoots.ts';

type Window = globalThis.Window & typeof globalThis;

/** `observe` is called for each root. */
export function pinNewRoots(window: Window, observe: (root: ShadowRoot) => void): void {
  let sheet: CSSStyleSheet | undefined;
  const sheetOf = (): CSSStyleSheet => {
    sheet ??= new window.CSSStyleSheet();
    if (sheet.cssRules.length === 0) sheet.replaceSync(browserFonts({ own: ownFonts, fallback: fallbackFonts }, true));
    return sheet;
  };
  const adopted = Object.getOwnPropertyDescriptor(window.ShadowRoot.prototype, 'adoptedStyleSheets');
  if (adopted?.set) {
    Object.defineProperty(window.ShadowRoot.prototype, 'adoptedStyleSheets', {
      ...adopted,
      set(this: ShadowRoot, sheets: CSSStyleSheet[]) {
        const own = sheetOf();
        adopted.set?.call(this, [own, ...[...sheets].filter((other) => other !== own)]);
      },
    });
  }
  watchShadowRoots(window, (root) => {
    adopted?.set?.call(root, [sheetOf(), ...root.adoptedStyleSheets]);
    observe(root);
  });
}
