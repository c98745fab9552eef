// Whether everything else that is seen is above a video, and nothing of it mixes with what is below: asked of the browser.

/** Looking at each element takes microseconds; a page with more of them is painted as a whole. */
const mostElements = 300;

/** Whether everything in the document that shows, beside what is around `video`, is above it. */
export function isBelowAll(video: HTMLVideoElement): boolean {
  return areAbove(video, video.ownerDocument.documentElement, { left: mostElements });
}

/** Whether the element paints anything beside a background. */
export function paintsMore(element: Element): boolean {
  const style = getComputedStyle(element);
  const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim() !== '');
  return (
    hasText ||
    element.shadowRoot !== null ||
    generated(element).length > 0 ||
    !none(style.boxShadow) ||
    !none(style.outlineStyle)
  );
}

export const none = (value: string) => value === 'none';

/** The styles of the element's `::before` and `::after` that are there. */
function generated(element: Element): CSSStyleDeclaration[] {
  return ['::before', '::after']
    .map((part) => getComputedStyle(element, part))
    .filter(({ content }) => content !== 'none' && content !== 'normal');
}

/** Whether everything in `around`, which has the video in it, is above the video. `budget` counts what is looked at. */
function areAbove(video: HTMLVideoElement, around: Element, budget: { left: number }): boolean {
  return [...around.children].every((child) => {
    if (child === video) return true;
    return child.contains(video) ? areAbove(video, child, budget) : isAbove(video, child, false, budget);
  });
}

function isAbove(video: HTMLVideoElement, element: Element, parentIsAbove: boolean, budget: { left: number }): boolean {
  if (--budget.left < 0) return false;
  const style = getComputedStyle(element);
  const hasNoBox = style.display === 'contents';
  if (!hasNoBox && !element.checkVisibility()) return true;
  if (mixes(style)) return false;
  // Whatever is in an element is painted above it, unless it asks to be below.
  const staysAbove = parentIsAbove && (hasNoBox || !asksBelow(style));
  const above = staysAbove || isHitAbove(video, element, style);
  // What is in a hidden element, or in one outside of the frame, may be seen all the same.
  if (!above && style.visibility === 'visible' && !isNowhere(element)) return false;
  if (generated(element).some((part) => mixes(part) || asksBelow(part))) return false;
  const children = [...element.children, ...(element.shadowRoot?.children ?? [])];
  return children.every((child) => isAbove(video, child, above, budget));
}

/** Blending and filters of the backdrop take in what is below. */
const mixes = (style: CSSStyleDeclaration): boolean => style.mixBlendMode !== 'normal' || !none(style.backdropFilter);

const asksBelow = ({ zIndex }: CSSStyleDeclaration): boolean => zIndex.startsWith('-');

/** Whether the whole element is met before the video at a place where it is. */
function isHitAbove(video: HTMLVideoElement, element: Element, style: CSSStyleDeclaration): boolean {
  const { document, innerWidth, innerHeight } = video.ownerDocument.defaultView as Window;
  for (const { left, top, right, bottom } of element.getClientRects()) {
    const x = (Math.max(0, left) + Math.min(innerWidth, right)) / 2;
    const y = (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2;
    const hit = document.elementsFromPoint(x, y);
    const at = hit.indexOf(element);
    if (at >= 0) return at < hit.indexOf(video) && !isInFlowWith(video, element, style);
  }
  return false;
}

/** In one flow, backgrounds of blocks are painted before all videos and texts: an element is above and below at once. */
function isInFlowWith(video: HTMLVideoElement, element: Element, { position }: CSSStyleDeclaration): boolean {
  if (position !== 'static' || getComputedStyle(video).position !== 'static') return false;
  if (!(element instanceof HTMLElement) || element.offsetParent !== video.offsetParent) return false;
  return !/flex|grid/.test(getComputedStyle(element.parentElement ?? element).display);
}

/** Whether the element itself has no place in the frame; what is in it may. */
function isNowhere(element: Element): boolean {
  const { innerWidth, innerHeight } = element.ownerDocument.defaultView as Window;
  return [...element.getClientRects()].every(
    ({ left, top, right, bottom }) =>
      left >= right || top >= bottom || right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight,
  );
}
