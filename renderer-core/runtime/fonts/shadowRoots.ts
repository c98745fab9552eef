// Finds shadow roots, and gives them the browser's own fonts as named families: styles of the page do not apply in them.
import { browserFonts } from '../../model/fonts/browserFonts.ts';
import { fallbackFonts, ownFonts } from '../page.ts';

type Window = globalThis.Window & typeof globalThis;

/** `observe` is called for each root that scripts or the page's markup create. Closed roots in markup cannot be found. */
export function pinNewRoots(window: Window, observe: (root: ShadowRoot) => void): void {
  const { document } = window;
  let sheet: CSSStyleSheet | undefined;
  const sheetOf = (): CSSStyleSheet => {
    sheet ??= new window.CSSStyleSheet();
    if (sheet.cssRules.length === 0) sheet.replaceSync(browserFonts({ own: ownFonts, fallback: fallbackFonts }, true));
    return sheet;
  };
  const adopted = Object.getOwnPropertyDescriptor(window.ShadowRoot.prototype, 'adoptedStyleSheets');
  const pin = (root: ShadowRoot): void => {
    adopted?.set?.call(root, [sheetOf(), ...root.adoptedStyleSheets]);
    observe(root);
  };
  if (adopted?.set) {
    Object.defineProperty(window.ShadowRoot.prototype, 'adoptedStyleSheets', {
      ...adopted,
      set(this: ShadowRoot, sheets: CSSStyleSheet[]) {
        const own = sheetOf();
        adopted.set?.call(this, [own, ...[...sheets].filter((other) => other !== own)]);
      },
    });
  }
  const { attachShadow } = window.Element.prototype;
  window.Element.prototype.attachShadow = function (init) {
    const root = attachShadow.call(this, init);
    pin(root);
    return root;
  };
  document.addEventListener('DOMContentLoaded', () => {
    const elements = document.createTreeWalker(document, window.NodeFilter.SHOW_ELEMENT);
    while (elements.nextNode()) {
      const { shadowRoot } = elements.currentNode as Element;
      if (shadowRoot && !shadowRoot.adoptedStyleSheets.includes(sheetOf())) pin(shadowRoot);
    }
  });
}
