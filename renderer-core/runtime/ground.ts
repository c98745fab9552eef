// Footage that fills the frame and has everything else above it: its pictures need not pass through the page.
import type { Crop } from './control.ts';
import { groundAttribute } from './page.ts';
import { pictureSize } from './shownSize.ts';

/** Looking at each element takes microseconds; a page with more of them is painted as a whole. */
const mostElements = 300;

/**
 * What lies under the video is taken out of the painting: the backgrounds of the elements around it, and its own.
 * Elements are found by where they are, so nothing may hide from that.
 */
export const groundCss = `[${groundAttribute}]{background:none!important;transition:none!important}*{pointer-events:auto!important}`;

/** Marks `video` and what is around it; without one, takes the marks off. */
export function markGround(document: Document, video: Element | undefined): void {
  const marked = [...document.querySelectorAll(`[${groundAttribute}]`)];
  if (marked.at(-1) === video) return;
  for (const element of marked) element.removeAttribute(groundAttribute);
  for (let at: Element | null = video ?? null; at; at = at.parentElement) at.setAttribute(groundAttribute, '');
}

/** Whether the video fills the frame without any effect on it, and everything else that is seen is above it. */
export function isGround(video: HTMLVideoElement): boolean {
  const { document, innerWidth, innerHeight } = video.ownerDocument.defaultView as Window;
  const { left, top, width, height } = video.getBoundingClientRect();
  if (left !== 0 || top !== 0 || width !== innerWidth || height !== innerHeight) return false;
  if (!video.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  for (let at: Element | null = video; at; at = at.parentElement) {
    if (!isPlain(at) || (at !== video && paintsMore(at))) return false;
  }
  return areAbove(video, document.documentElement, { left: mostElements });
}

/** The part of its picture that the video shows; undefined when it does not cover the frame, or nothing is shown yet. */
export function shownCrop(video: HTMLVideoElement): Crop | undefined {
  const style = getComputedStyle(video);
  const natural = { width: video.videoWidth, height: video.videoHeight };
  const box = { width: video.clientWidth, height: video.clientHeight };
  const whole = pictureSize(style.objectFit, box, natural);
  // No picture yet gives no number, which is not larger than anything.
  if (!(whole.width > box.width - slack && whole.height > box.height - slack)) return undefined;
  const [across = '', down = ''] = style.objectPosition.split(' ');
  const x = offset(across, whole.width - box.width);
  const y = offset(down, whole.height - box.height);
  if (x === undefined || y === undefined) return undefined;
  const scale = { x: natural.width / whole.width, y: natural.height / whole.height };
  return { x: x * scale.x, y: y * scale.y, width: box.width * scale.x, height: box.height * scale.y };
}

/** Pixels that do not show. */
const slack = 0.5;

/** How much of what is too large is cut off in front; undefined for a position that is not in percent. */
function offset(position: string, surplus: number): number | undefined {
  if (surplus < slack) return 0;
  return /^[\d.]+%$/.test(position) ? (surplus * Number.parseFloat(position)) / 100 : undefined;
}

const none = (value: string) => value === 'none';

/** Nothing changes how the element and what is in it look. */
function isPlain(element: Element): boolean {
  const style = getComputedStyle(element);
  return (
    style.opacity === '1' &&
    style.mixBlendMode === 'normal' &&
    [style.filter, style.backdropFilter, style.clipPath, style.maskImage].every(none) &&
    [style.transform, style.rotate, style.scale, style.translate].every(none) &&
    style.borderRadius === '0px' &&
    style.borderWidth === '0px'
  );
}

/** Whether the element paints anything beside a background. */
function paintsMore(element: Element): boolean {
  const style = getComputedStyle(element);
  const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim() !== '');
  const isGenerated = (part: string) => !['none', 'normal'].includes(getComputedStyle(element, part).content);
  return (
    hasText || isGenerated('::before') || isGenerated('::after') || !none(style.boxShadow) || !none(style.outlineStyle)
  );
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
  if (!element.checkVisibility()) return true;
  const style = getComputedStyle(element);
  // Both mix with what is below.
  if (style.mixBlendMode !== 'normal' || !none(style.backdropFilter)) return false;
  // Whatever is in an element is painted above it, unless it asks to be below.
  const staysAbove = parentIsAbove && !style.zIndex.startsWith('-');
  const above = staysAbove || isHitAbove(video, element);
  // What is in a hidden element, or in one outside of the frame, may be seen all the same.
  if (!above && style.visibility === 'visible' && !isNowhere(element)) return false;
  if (element.localName === 'svg') return true;
  return [...element.children].every((child) => isAbove(video, child, above, budget));
}

/** Whether the element is met before the video at a place where it is. */
function isHitAbove(video: HTMLVideoElement, element: Element): boolean {
  const { document, innerWidth, innerHeight } = video.ownerDocument.defaultView as Window;
  for (const { left, top, right, bottom } of element.getClientRects()) {
    const x = (Math.max(0, left) + Math.min(innerWidth, right)) / 2;
    const y = (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2;
    const hit = document.elementsFromPoint(x, y);
    const at = hit.indexOf(element);
    if (at >= 0) return at < hit.indexOf(video);
  }
  return false;
}

/** Whether the element itself has no place in the frame; what is in it may. */
function isNowhere(element: Element): boolean {
  const { innerWidth, innerHeight } = element.ownerDocument.defaultView as Window;
  return [...element.getClientRects()].every(
    ({ left, top, right, bottom }) =>
      left >= right || top >= bottom || right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight,
  );
}
