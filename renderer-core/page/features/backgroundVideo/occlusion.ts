// Occlusion: whether everything else that is visible is above a video and does not blend with it, by the browser's own hit
// testing.
import { isInFrame } from '../../runtime/displaySize.ts';

/** Checking an element takes microseconds; pages with more elements are not checked. */
const maxElements = 300;

/** Whether everything visible in the document, except the ancestors of `video`, is above it. */
export function isBelowAll(video: HTMLVideoElement): boolean {
  return areAbove(video, document.documentElement, { left: maxElements });
}

/** Whether the element paints anything other than a background. */
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

/** The styles of the element's existing `::before` and `::after`. */
function generated(element: Element): CSSStyleDeclaration[] {
  return ['::before', '::after']
    .map((part) => getComputedStyle(element, part))
    .filter(({ content }) => content !== 'none' && content !== 'normal');
}

/** Whether everything in `around`, an ancestor of the video, is above the video. `budget` counts checked elements. */
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
  // Children are painted above their parent, unless a negative z-index puts them below.
  const staysAbove = parentIsAbove && (hasNoBox || !asksBelow(style));
  const above = staysAbove || isHitAbove(video, element, style);
  // The children of a hidden element, or of one outside the frame, may still be visible.
  if (!above && style.visibility === 'visible' && !isOutside(element)) return false;
  if (generated(element).some((part) => mixes(part) || asksBelow(part))) return false;
  const children = [...element.children, ...(element.shadowRoot?.children ?? [])];
  return children.every((child) => isAbove(video, child, above, budget));
}

/** Blend modes and backdrop filters use what is below. */
const mixes = (style: CSSStyleDeclaration): boolean => style.mixBlendMode !== 'normal' || !none(style.backdropFilter);

const asksBelow = ({ zIndex }: CSSStyleDeclaration): boolean => zIndex.startsWith('-');

/** Whether hit testing finds the element before the video at the center of one of its boxes. */
function isHitAbove(video: HTMLVideoElement, element: Element, style: CSSStyleDeclaration): boolean {
  const { innerWidth, innerHeight } = window;
  for (const { left, top, right, bottom } of element.getClientRects()) {
    const x = (Math.max(0, left) + Math.min(innerWidth, right)) / 2;
    const y = (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2;
    const hit = document.elementsFromPoint(x, y);
    const at = hit.indexOf(element);
    if (at >= 0) return at < hit.indexOf(video) && !isInFlowWith(video, element, style);
  }
  return false;
}

/** In one flow, backgrounds of blocks are painted before videos and text, so that an element can be above and below. */
function isInFlowWith(video: HTMLVideoElement, element: Element, { position }: CSSStyleDeclaration): boolean {
  if (position !== 'static' || getComputedStyle(video).position !== 'static') return false;
  if (!(element instanceof HTMLElement) || element.offsetParent !== video.offsetParent) return false;
  return !/flex|grid/.test(getComputedStyle(element.parentElement ?? element).display);
}

/** Whether no box of the element itself is in the frame; its children may be. */
function isOutside(element: Element): boolean {
  return ![...element.getClientRects()].some(isInFrame);
}
