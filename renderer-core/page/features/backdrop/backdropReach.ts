// How far elements with a backdrop filter paint. Only pages with such elements load it.

/**
 * How far an element with `backdrop-filter` paints outside of its box, at most, in CSS pixels. Null for other elements, and if
 * this is not certain.
 */
export function backdropReach(element: Element, window: Window & typeof globalThis): number | null {
  const style = window.getComputedStyle(element);
  if (isNone(style.backdropFilter) || !(element instanceof window.HTMLElement)) return null;
  const box = element.getBoundingClientRect();
  // Boxes of rotated and scaled elements cannot be compared.
  const isMoved = Math.abs(box.width - element.offsetWidth) < 1 && Math.abs(box.height - element.offsetHeight) < 1;
  const canClip = isMoved && /^(inline-)?(block|flex|grid)$/.test(style.display) && isNone(style.clipPath);
  if (!canClip || !isPlain(style) || /[1-9]/.test(style.transitionDuration)) return null;
  if (!hasPlainContent(element, style, box, window)) return null;
  return Math.max(shadowReach(style.boxShadow), letterReach(element, window));
}

const isNone = (value: string | undefined): boolean => ['none', '', undefined].includes(value);

/** Whether the element paints only its box, shadows and text. Gradients and images have other rounding errors in another layer. */
const isPlain = (style: CSSStyleDeclaration): boolean =>
  [
    style.backgroundImage,
    style.maskImage,
    style.filter,
    style.outlineStyle,
    style.textShadow,
    style.borderImageSource,
    style.getPropertyValue('-webkit-box-reflect'),
  ].every(isNone);

/** Elements that paint more than their styles say. */
const special = 'img,svg,canvas,video,iframe,object,embed,input,textarea,select,progress,meter,math';

/** Whether everything in `element` is plain and in its box, except parts of letters. */
function hasPlainContent(
  element: Element,
  { overflowX, overflowY }: CSSStyleDeclaration,
  box: DOMRect,
  window: Window & typeof globalThis,
): boolean {
  const isCut = [overflowX, overflowY].every((value) => value === 'hidden' || value === 'clip');
  const text = window.document.createRange();
  text.selectNodeContents(element);
  if (!isCut && !contains(box, text.getBoundingClientRect())) return false;
  const inner = [...element.getElementsByTagName('*')];
  if (element.querySelector(special) || inner.some(({ shadowRoot }) => shadowRoot)) return false;
  const styles = inner.map((one) => window.getComputedStyle(one));
  const parts = [element, ...inner].flatMap((one) => generated(one, window));
  if (![...styles, ...parts].every((style) => isPlain(style) && isNone(style.backdropFilter))) return false;
  if (isCut) return true;
  const isSimple = styles.every(
    ({ boxShadow, transform, display }) => [boxShadow, transform].every(isNone) && display !== 'list-item',
  );
  return parts.length === 0 && isSimple && inner.every((one) => contains(box, one.getBoundingClientRect()));
}

/** The styles of the element's existing `::before` and `::after`. */
const generated = (element: Element, window: Window): CSSStyleDeclaration[] =>
  ['::before', '::after']
    .map((part) => window.getComputedStyle(element, part))
    .filter(({ content }) => !isNone(content) && content !== 'normal');

const contains = (box: DOMRect, { left, top, right, bottom, width, height }: DOMRect): boolean =>
  (width === 0 && height === 0) || (left >= box.left && top >= box.top && right <= box.right && bottom <= box.bottom);

/** How far outer shadows reach, with a computed `box-shadow`. */
function shadowReach(boxShadow: string): number {
  const shadows = boxShadow.split(/,(?![^(]*\))/).filter((shadow) => !shadow.includes('inset'));
  const reaches = shadows.map((shadow) => {
    const [x = 0, y = 0, blur = 0, spread = 0] = (shadow.match(/-?[\d.]+px/g) ?? []).map(Number.parseFloat);
    return Math.max(Math.abs(x), Math.abs(y)) + 1.5 * blur + Math.max(0, spread) + 2;
  });
  return Math.max(0, ...reaches);
}

/** Letters may reach outside of their boxes by the size of their font. */
function letterReach(element: Element, window: Window): number {
  const all = [element, ...element.getElementsByTagName('*')];
  return Math.max(...all.map((one) => Number.parseFloat(window.getComputedStyle(one).fontSize)));
}
