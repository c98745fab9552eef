// Whether a page shows any content at its current time.

const drawn = 'img,svg,canvas,video';

/** Whether no text, image or drawing is visible inside the window. Backgrounds and boxes do not count. */
export function isBlankPage(window: Window & typeof globalThis): boolean {
  const { document, NodeFilter, innerWidth, innerHeight } = window;
  const isInside = ({ left, top, right, bottom, width, height }: DOMRect) =>
    width > 0 && height > 0 && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  const isVisible = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const range = document.createRange();
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (node instanceof window.Element) {
      if (node.matches(drawn) && isVisible(node) && isInside(node.getBoundingClientRect())) return false;
    } else if (node.parentElement && /\S/.test(node.nodeValue ?? '')) {
      range.selectNodeContents(node);
      if (isVisible(node.parentElement) && [...range.getClientRects()].some(isInside)) return false;
    }
  }
  return true;
}
