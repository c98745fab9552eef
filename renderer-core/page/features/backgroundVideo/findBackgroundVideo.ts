// Which video of the page fills the frame below everything else.

import { contentSize, isVisible, naturalSize } from '../../runtime/displaySize.ts';
import type { Crop } from '../capturePart.ts';
import { isBelowAll, none, paintsMore } from './occlusion.ts';

/** Marks the video that is left out of the page's painting, and the elements around it. */
const backgroundVideoAttribute = 'data-framework-background-video';

/**
 * Removes what is below the video from painting: the backgrounds of its ancestors, and its own. `pointer-events` must not
 * hide elements from hit testing, which finds out what is above the video.
 */
export const backgroundVideoCss = `[${backgroundVideoAttribute}]{background:none!important}*{pointer-events:auto!important}`;

/** Marks `video` and its ancestors, or removes the marks if there is no video. */
export function markBackgroundVideo(document: Document, video: Element | undefined): void {
  const marked = [...document.querySelectorAll(`[${backgroundVideoAttribute}]`)];
  if (marked.at(-1) === video) return;
  const around = video ? withAncestors(video) : [];
  for (const element of marked) element.removeAttribute(backgroundVideoAttribute);
  for (const element of around) element.setAttribute(backgroundVideoAttribute, '');
  // Backgrounds must change immediately; the author's other transitions continue.
  for (const element of [...marked, ...around]) {
    for (const animation of element.getAnimations()) {
      if (animation instanceof CSSTransition && animation.transitionProperty.startsWith('background'))
        animation.cancel();
    }
  }
}

function withAncestors(element: Element): Element[] {
  const all: Element[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) all.push(at);
  return all;
}

/** Whether the video fills the frame without any effect on it, and everything else that is visible is above it. */
export function isBackgroundVideo(video: HTMLVideoElement): boolean {
  const { innerWidth, innerHeight } = window;
  const { left, top, width, height } = video.getBoundingClientRect();
  if (left !== 0 || top !== 0 || width !== innerWidth || height !== innerHeight) return false;
  if (!isVisible(video)) return false;
  if (isDark(document)) return false;
  const hit = document.elementsFromPoint(innerWidth / 2, innerHeight / 2);
  const isOver = (element: Element) => hit.indexOf(element) < hit.indexOf(video) && hit.includes(element);
  const [own, ...around] = withAncestors(video).map((element) => ({ element, style: getComputedStyle(element) }));
  if (!own || !isPlain(own.style) || own.style.padding !== '0px' || !none(own.style.boxShadow)) return false;
  const isBelow = around.every(
    ({ element, style }) =>
      isPlain(style) &&
      !paintsMore(element) &&
      !cuts(element, style) &&
      !(isOver(element) && hasOwnBackground(element, style)),
  );
  return isBelow && isBelowAll(video);
}

/** Whether the element's background is painted in its own box. */
function hasOwnBackground(element: Element, style: CSSStyleDeclaration): boolean {
  const { body, documentElement } = document;
  // The document's background is below everything. If the root has none, the body's is used for it.
  if (element === documentElement) return false;
  return hasBackground(style) && !(element === body && !hasBackground(getComputedStyle(documentElement)));
}

function hasBackground({ backgroundColor, backgroundImage }: CSSStyleDeclaration): boolean {
  return backgroundColor !== 'rgba(0, 0, 0, 0)' || !none(backgroundImage);
}

/** The browser draws a background below a dark page that is embedded in a light one. */
function isDark(document: Document): boolean {
  const { colorScheme } = getComputedStyle(document.documentElement);
  const meta = document.querySelector<HTMLMetaElement>('meta[name="color-scheme"]');
  return /dark/.test(`${colorScheme} ${meta?.content}`);
}

/** The part of its image that the video shows; undefined if it does not cover the frame, or shows nothing yet. */
export function shownCrop(video: HTMLVideoElement): Crop | undefined {
  const style = getComputedStyle(video);
  const natural = naturalSize(video);
  const box = { width: video.clientWidth, height: video.clientHeight };
  const whole = contentSize(style.objectFit, box, natural);
  // Without an image the sizes are NaN, which fails this comparison.
  if (!(whole.width > box.width - slack && whole.height > box.height - slack)) return undefined;
  const [across = '', down = ''] = style.objectPosition.split(' ');
  const x = offset(across, whole.width - box.width);
  const y = offset(down, whole.height - box.height);
  if (x === undefined || y === undefined) return undefined;
  const scale = { x: natural.width / whole.width, y: natural.height / whole.height };
  return { x: x * scale.x, y: y * scale.y, width: box.width * scale.x, height: box.height * scale.y };
}

/** A difference in pixels that is not visible. */
const slack = 0.5;

/** How much of the surplus is cut off at the start; undefined for a position that is not in percent. */
function offset(position: string, surplus: number): number | undefined {
  if (surplus < slack) return 0;
  return /^[\d.]+%$/.test(position) ? (surplus * Number.parseFloat(position)) / 100 : undefined;
}

/** Whether no style changes how the element and its content look. */
function isPlain(style: CSSStyleDeclaration): boolean {
  return (
    style.opacity === '1' &&
    style.mixBlendMode === 'normal' &&
    [style.filter, style.backdropFilter, style.clipPath, style.maskImage].every(none) &&
    [style.transform, style.rotate, style.scale, style.translate, style.offsetPath].every(none) &&
    none(style.getPropertyValue('object-view-box')) &&
    style.clip === 'auto' &&
    style.borderRadius === '0px' &&
    style.borderWidth === '0px'
  );
}

/** Whether the element clips its content inside the frame. */
function cuts(element: Element, style: CSSStyleDeclaration): boolean {
  const { body, documentElement } = document;
  const clips = style.overflow !== 'visible' || style.contentVisibility !== 'visible' || !none(style.contain);
  if (!clips) return false;
  // The overflow of these two applies to the window.
  if (element === documentElement) return false;
  if (element === body && getComputedStyle(documentElement).overflow === 'visible' && none(style.contain)) return false;
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return left > 0 || top > 0 || right < window.innerWidth || bottom < window.innerHeight;
}
