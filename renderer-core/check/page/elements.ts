// What elements of a page look like: whether they show, what clips them, and how the author has named them.
import { sourceAttribute } from '../../page/runtime/page.ts';
import { intersect } from '../boxes.ts';
import type { Box, SeenElement } from '../sight.ts';

export const boxOf = ({ left, top, width, height }: DOMRect | Box): Box => ({ left, top, width, height });

export const areaOf = ({ width, height }: Box): number => width * height;

export function seen(element: Element): SeenElement {
  const source = element.closest(`[${sourceAttribute}]`)?.getAttribute(sourceAttribute) ?? null;
  const name = element.id !== '' ? `#${element.id}` : element.classList[0] ? `.${element.classList[0]}` : '';
  return { source, name: element.localName + name };
}

/** The elements from this one up to the root. */
export function* upwards(from: Element): Generator<Element> {
  for (let at: Element | null = from; at; at = at.parentElement) yield at;
}

export const styleOf = (element: Element): CSSStyleDeclaration =>
  (element.ownerDocument.defaultView as Window).getComputedStyle(element);

export function opacityOf(element: Element): number {
  let opacity = 1;
  for (const one of upwards(element)) opacity *= Number(styleOf(one).opacity);
  return opacity;
}

/** Less is not visible, as on the way of a fade. */
export const leastOpacity = 0.05;

export const isVisible = (element: Element): boolean =>
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && opacityOf(element) > leastOpacity;

/** Whether the color of a style shows. */
const hasAlpha = (color: string): boolean => !/^(?:transparent|rgba\(.*, 0\)|.*\/ 0\))$/.test(color);

/** Whether an element paints something behind its content. */
export function paintsBox(style: CSSStyleDeclaration): boolean {
  const hasBorder = ['Top', 'Right', 'Bottom', 'Left'].some((side) => {
    const read = (name: string) => style[`border${side}${name}` as 'borderTopWidth'];
    return read('Style') !== 'none' && Number.parseFloat(read('Width')) > 0 && hasAlpha(read('Color'));
  });
  const hasBackground = hasAlpha(style.backgroundColor) || style.backgroundImage !== 'none';
  return (hasBackground && style.backgroundClip !== 'text') || hasBorder || style.boxShadow !== 'none';
}

const replaced = 'img,video,canvas,svg,picture';

export const isReplaced = (element: Element): boolean => element.matches(replaced);

/** Whether an element is an opaque layer over what is behind it. Drawings may be transparent anywhere. */
function coversWholly(element: Element): boolean {
  const style = styleOf(element);
  if (opacityOf(element) < 0.9 || style.mixBlendMode !== 'normal') return false;
  if (element.matches('img,video')) return true;
  const alpha = /^rgba\(.*, ([\d.]+)\)$/.exec(style.backgroundColor)?.[1];
  return hasAlpha(style.backgroundColor) && (alpha === undefined || Number(alpha) > 0.9);
}

/** Whether something opaque is over an element at a point. Elements that ignore the pointer must have been made to take it. */
export function isCovered(element: Element, x: number, y: number): boolean {
  for (const over of element.ownerDocument.elementsFromPoint(x, y)) {
    if (over === element || over.contains(element) || element.contains(over)) return false;
    if (coversWholly(over)) return true;
  }
  return false;
}

/** The part of the frame that ancestors with hidden overflow leave to the content of an element, and which takes most. */
export function windowOf(element: Element, frame: Box): { window: Box; cutBy: Element | null } {
  let window = frame;
  let cutBy: Element | null = null;
  let position = styleOf(element).position;
  for (const one of upwards(element)) {
    if (one.localName === 'body' || one.localName === 'html') break;
    const style = styleOf(one);
    const isContaining = style.position !== 'static' || style.transform !== 'none';
    const isEscaped = one !== element && position === 'absolute' && !isContaining;
    if (position === 'fixed' && style.transform === 'none') continue;
    if (!isEscaped && style.overflowX !== 'visible') {
      const left = intersect(window, boxOf(one.getBoundingClientRect()));
      if (areaOf(left) < areaOf(window)) cutBy = one;
      window = left;
    }
    if (!isEscaped) position = style.position;
  }
  return { window, cutBy };
}

/** Whether an element or an ancestor is rotated, skewed or in perspective. */
export function isTurned(element: Element): boolean {
  if (styleOf(element).writingMode !== 'horizontal-tb') return true;
  for (const one of upwards(element)) {
    const { transform, rotate } = styleOf(one);
    if (rotate !== 'none' && rotate !== '0deg') return true;
    if (transform === 'none') continue;
    const { b, c, is2D } = new DOMMatrix(transform);
    if (!is2D || Math.abs(b) > 0.01 || Math.abs(c) > 0.01) return true;
  }
  return false;
}
