// Orders the elements of 3D rendering contexts (`transform-style: preserve-3d`) by their depth in painted frames. Runs in the
// capture page.
//
// The browser draws these elements into a canvas at the right place, but in the order of the document, and also those whose
// back is visible and must be hidden. So while a frame is painted, the elements get a z-index and an opacity for it.
import type { Point } from '../capturePart.ts';
import { orderByDepth, type Plane, project, showsBack } from './depthOrder.ts';

/** Larger than every z-index of an author. */
const firstLevel = 1e6;

/**
 * `styles`: declarations by element. `obstacle`: why this frame cannot be painted, or null. `contexts`: the planes of each 3D
 * context, where they are in its parent.
 */
export type DepthFit = {
  styles: Map<Element, string>;
  obstacle: string | null;
  contexts: { parent: HTMLElement | null; planes: Plane[] }[];
};

/** An element in a 3D context. `planes`: of the element, and of its descendants in the context. */
type Item = { element: HTMLElement; style: CSSStyleDeclaration; zIndex: number; planes: Plane[] };

/** Whether the page has elements that are sorted by depth, or hidden when their back is visible. */
export function hasDepth(window: Window): boolean {
  return [...(window.document.body?.getElementsByTagName('*') ?? [])].some((element) => {
    const { transformStyle, backfaceVisibility } = window.getComputedStyle(element);
    return transformStyle === 'preserve-3d' || backfaceVisibility === 'hidden';
  });
}

/** The styles of elements in 3D contexts for the next frame. */
export function fitDepth(window: Window & typeof globalThis): DepthFit {
  const changes: DepthFit = { styles: new Map(), obstacle: null, contexts: [] };
  for (const element of window.document.body.querySelectorAll<HTMLElement>('*')) {
    const style = window.getComputedStyle(element);
    const isRoot = preserves3d(style);
    if (!isRoot && style.backfaceVisibility !== 'hidden') continue;
    const parent = element.parentElement;
    if (parent && preserves3d(window.getComputedStyle(parent))) continue;
    const matrix = outerMatrix(element, style, window);
    if (isRoot) changes.contexts.push({ parent, planes: sortContext(element, window, matrix, changes) });
    else hideBack(element, style, matrix, changes);
  }
  return changes;
}

/** The planes of all 3D contexts where they are in the page. */
export function planesInPage({ contexts }: DepthFit, window: Window): Plane[] {
  return contexts.flatMap(({ parent, planes }) => {
    const matrix = pageMatrix(parent, window);
    return planes.map((plane) => plane.map((point) => moved(point, matrix)));
  });
}

/** The page shows a 3D context flat, so it does not change the depth in it. */
function moved({ x, y, z }: Point, matrix: DOMMatrix): Point {
  const to = matrix.transformPoint({ x, y });
  return { x: to.x / to.w, y: to.y / to.w, z };
}

/** Sorts the children of `parent`, and those of its children in the same context. Returns the planes of all of them. */
function sortContext(
  parent: HTMLElement,
  window: Window & typeof globalThis,
  matrix: DOMMatrix,
  changes: DepthFit,
): Plane[] {
  const style = window.getComputedStyle(parent);
  const inner = matrix.multiply(perspectiveMatrix(style));
  const items: Item[] = [];
  let hasContent =
    hasText(parent) || ['::before', '::after'].some((name) => hasBox(window.getComputedStyle(parent, name)));
  for (const element of parent.children as HTMLCollectionOf<HTMLElement>) {
    const own = window.getComputedStyle(element);
    if (own.display === 'none' || isInvisible(own)) continue;
    if (!isPlane(element, own)) {
      hasContent = true;
      hideBack(element, own, matrix, changes);
      continue;
    }
    const placed = inner.multiply(offsetMatrix(element, parent)).multiply(transformMatrix(element, own));
    const planes = preserves3d(own)
      ? sortContext(element, window, placed, changes)
      : leafPlanes(element, own, placed, changes);
    items.push({ element, style: own, zIndex: Number.parseInt(own.zIndex, 10) || 0, planes });
  }
  const hasBackground = drawsBox(style);
  const own = hasBackground || hasContent ? compact([project(matrix.toFloat64Array(), boxOf(parent))]) : [];
  orderItems(own, hasBackground, items, changes);
  return [...own, ...items.flatMap(({ planes }) => planes)];
}

/** Gives the items of one parent their order. `own`: the plane of that parent, with content that is not in an item. */
function orderItems(own: Plane[], hasBackground: boolean, items: Item[], changes: DepthFit): void {
  const natural = items.sort((a, b) => a.zIndex - b.zIndex);
  const ownAt = natural.findIndex(({ zIndex }) => zIndex >= 0);
  const content = ownAt === -1 ? natural.length : ownAt;
  const order = orderByDepth([
    ...natural.slice(0, content).map(({ planes }) => planes),
    own,
    ...natural.slice(content).map(({ planes }) => planes),
  ]);
  if (order === null) {
    changes.obstacle ??= 'elements with preserve-3d intersect';
    return;
  }
  if (order.every((item, index) => item === index)) return;
  const ownLevel = order.indexOf(content);
  if (hasBackground && ownLevel > 0) {
    changes.obstacle ??= 'an element with preserve-3d is in front of its children';
    return;
  }
  for (const [level, index] of order.entries()) {
    const item = natural[index < content ? index : index - 1];
    if (index === content || !item) continue;
    if (startsTransition(item.style)) changes.obstacle ??= 'an element that is sorted by depth has a transition';
    const zIndex = level < ownLevel ? level - ownLevel - firstLevel : level + firstLevel;
    // Without `inset`, an element that was not positioned would move.
    const position = item.style.position === 'static' ? ';position:relative!important;inset:auto!important' : '';
    add(changes, item.element, `z-index:${zIndex}!important${position}`);
  }
}

function leafPlanes(element: HTMLElement, style: CSSStyleDeclaration, matrix: DOMMatrix, changes: DepthFit): Plane[] {
  const plane = project(matrix.toFloat64Array(), boxOf(element));
  if (!plane || hideBack(element, style, matrix, changes)) return [];
  return [plane];
}

/** Hides an element that must not be visible from its back, if its back is visible. */
function hideBack(element: HTMLElement, style: CSSStyleDeclaration, matrix: DOMMatrix, changes: DepthFit): boolean {
  if (style.backfaceVisibility !== 'hidden') return false;
  if (!showsBack(matrix.toFloat64Array())) return false;
  if (startsTransition(style)) changes.obstacle ??= 'an element with backface-visibility has a transition';
  add(changes, element, 'opacity:0!important');
  return true;
}

function add({ styles }: DepthFit, element: Element, declarations: string): void {
  styles.set(element, [styles.get(element), declarations].filter(Boolean).join(';'));
}

const startsTransition = ({ transitionDuration, transitionProperty }: CSSStyleDeclaration): boolean =>
  /[1-9]/.test(transitionDuration) && /all|z-index|opacity/.test(transitionProperty);

const compact = <T>(values: (T | null)[]): T[] => values.filter((value): value is T => value !== null);

/** Whether the children are in the 3D space of the element: some styles flatten it. */
function preserves3d(style: CSSStyleDeclaration): boolean {
  return (
    style.transformStyle === 'preserve-3d' &&
    style.display !== 'inline' &&
    style.opacity === '1' &&
    style.overflowX === 'visible' &&
    style.overflowY === 'visible' &&
    style.isolation === 'auto' &&
    style.mixBlendMode === 'normal' &&
    !/paint|strict|content/.test(style.contain) &&
    [style.filter, style.backdropFilter, style.clipPath, style.maskImage].every(
      (value) => value === 'none' || value === '',
    )
  );
}

const isTransformed = ({ transform, translate, rotate, scale, offsetPath }: CSSStyleDeclaration): boolean =>
  [transform, translate, rotate, scale, offsetPath].some((value) => value !== 'none');

/**
 * Whether a child of an element with preserve-3d has its own place in the order: a depth of its own, or that of its parent but
 * painted after the parent's content, in the order of the document.
 */
const isPlane = (element: HTMLElement, style: CSSStyleDeclaration): boolean =>
  // SVG elements have no offset.
  element.offsetLeft !== undefined &&
  (isTransformed(style) || preserves3d(style) || style.position !== 'static' || style.opacity !== '1');

const isInvisible = ({ visibility, opacity }: CSSStyleDeclaration): boolean =>
  visibility === 'hidden' || opacity === '0';

const hasText = (element: Element): boolean =>
  [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.trim() !== '');

const hasBox = ({ content, display }: CSSStyleDeclaration): boolean =>
  content !== 'none' && content !== 'normal' && display !== 'none';

/** Whether the element draws something of its own below its content. */
const drawsBox = (style: CSSStyleDeclaration): boolean =>
  !/^rgba\(.*, 0\)$/.test(style.backgroundColor) ||
  [style.backgroundImage, style.boxShadow].some((value) => value !== 'none') ||
  [
    style.borderTopStyle,
    style.borderRightStyle,
    style.borderBottomStyle,
    style.borderLeftStyle,
    style.outlineStyle,
  ].some((value) => value !== 'none');

const boxOf = ({ offsetWidth, offsetHeight, scrollWidth, scrollHeight }: HTMLElement) => ({
  ...{ left: 0, top: 0 },
  right: Math.max(offsetWidth, scrollWidth),
  bottom: Math.max(offsetHeight, scrollHeight),
});

/** The matrix of an element whose parent is not in a 3D context. */
function outerMatrix(element: HTMLElement, style: CSSStyleDeclaration, window: Window): DOMMatrix {
  const parent = element.parentElement;
  const transform = transformMatrix(element, style);
  if (!parent) return transform;
  const perspective = perspectiveMatrix(window.getComputedStyle(parent));
  return perspective.multiply(offsetMatrix(element, parent)).multiply(transform);
}

/** From the box of an element that is not in a 3D context to the page. */
function pageMatrix(element: HTMLElement | null, window: Window): DOMMatrix {
  if (!element) return new DOMMatrix();
  const outer = pageMatrix(element.parentElement, window);
  return outer.multiply(outerMatrix(element, window.getComputedStyle(element), window));
}

/** The position of an element in `parent`, without transforms. */
function offsetMatrix(element: HTMLElement, parent: HTMLElement): DOMMatrix {
  if (element.offsetParent === parent)
    return new DOMMatrix().translate(element.offsetLeft + parent.clientLeft, element.offsetTop + parent.clientTop);
  return new DOMMatrix().translate(element.offsetLeft - parent.offsetLeft, element.offsetTop - parent.offsetTop);
}

function perspectiveMatrix({ perspective, perspectiveOrigin }: CSSStyleDeclaration): DOMMatrix {
  const distance = Number.parseFloat(perspective);
  if (Number.isNaN(distance)) return new DOMMatrix();
  return around(perspectiveOrigin, new DOMMatrix(`perspective(${Math.max(1, distance)}px)`));
}

function transformMatrix(element: HTMLElement, style: CSSStyleDeclaration): DOMMatrix {
  const { translate, rotate, scale, transform, transformOrigin } = style;
  const matrix = new DOMMatrix();
  if (translate !== 'none') {
    const [x = '0', y = '0', z = '0'] = translate.split(' ');
    matrix.translateSelf(inPixels(x, element.offsetWidth), inPixels(y, element.offsetHeight), Number.parseFloat(z));
  }
  if (rotate !== 'none') {
    const parts = rotate.split(' ');
    const angle = Number.parseFloat(parts.at(-1) ?? '0');
    const axes = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] } as Record<string, number[]>;
    const axis = parts.length === 1 ? [0, 0, 1] : (axes[parts[0] ?? ''] ?? parts.slice(0, 3).map(Number));
    matrix.rotateAxisAngleSelf(...(axis as [number, number, number]), angle);
  }
  if (scale !== 'none') {
    const [x = 1, y = x, z = 1] = scale.split(' ').map(Number);
    matrix.scaleSelf(x, y, z);
  }
  if (transform !== 'none') matrix.multiplySelf(new DOMMatrix(transform));
  return around(transformOrigin, matrix);
}

const inPixels = (length: string, side: number): number =>
  length.endsWith('%') ? (Number.parseFloat(length) * side) / 100 : Number.parseFloat(length);

/** Applies `matrix` around `origin`, a computed origin in pixels. */
function around(origin: string, matrix: DOMMatrix): DOMMatrix {
  const [x = 0, y = 0, z = 0] = origin.split(' ').map(Number.parseFloat);
  return new DOMMatrix().translate(x, y, z).multiply(matrix).translate(-x, -y, -z);
}
