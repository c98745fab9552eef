// Footage that fills the frame and has everything else above it: its pictures need not pass through the page.
import { isBelowAll, none, paintsMore } from './above.ts';
import type { Crop } from './control.ts';
import { groundAttribute } from './page.ts';
import { pictureSize } from './shownSize.ts';

/**
 * What lies under the video is taken out of the painting: the backgrounds of the elements around it, and its own.
 * Elements are found by where they are, so nothing may hide from that.
 */
export const groundCss = `[${groundAttribute}]{background:none!important}*{pointer-events:auto!important}`;

/** Marks `video` and what is around it; without one, takes the marks off. */
export function markGround(document: Document, video: Element | undefined): void {
  const marked = [...document.querySelectorAll(`[${groundAttribute}]`)];
  if (marked.at(-1) === video) return;
  const around = video ? withAncestors(video) : [];
  for (const element of marked) element.removeAttribute(groundAttribute);
  for (const element of around) element.setAttribute(groundAttribute, '');
  // Backgrounds go and come at once; the author's other transitions go on.
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

/** Whether the video fills the frame without any effect on it, and everything else that is seen is above it. */
export function isGround(video: HTMLVideoElement): boolean {
  const { document, innerWidth, innerHeight } = video.ownerDocument.defaultView as Window;
  const { left, top, width, height } = video.getBoundingClientRect();
  if (left !== 0 || top !== 0 || width !== innerWidth || height !== innerHeight) return false;
  if (!video.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
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

/** Whether a background is painted where the element is. */
function hasOwnBackground(element: Element, style: CSSStyleDeclaration): boolean {
  const { body, documentElement } = element.ownerDocument;
  // That of the document lies under everything, and comes from the body when the root has none.
  if (element === documentElement) return false;
  return hasBackground(style) && !(element === body && !hasBackground(getComputedStyle(documentElement)));
}

function hasBackground({ backgroundColor, backgroundImage }: CSSStyleDeclaration): boolean {
  return backgroundColor !== 'rgba(0, 0, 0, 0)' || !none(backgroundImage);
}

/** The browser puts a ground of its own under dark pages in light ones. */
function isDark(document: Document): boolean {
  const { colorScheme } = getComputedStyle(document.documentElement);
  const meta = document.querySelector<HTMLMetaElement>('meta[name="color-scheme"]');
  return /dark/.test(`${colorScheme} ${meta?.content}`);
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

/** Nothing changes how the element and what is in it look. */
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

/** Whether the element cuts off some of what is in it within the frame. */
function cuts(element: Element, style: CSSStyleDeclaration): boolean {
  const { body, documentElement, defaultView } = element.ownerDocument;
  const clips = style.overflow !== 'visible' || style.contentVisibility !== 'visible' || !none(style.contain);
  if (!clips || !defaultView) return false;
  // What these two say of overflow is the window's.
  if (element === documentElement) return false;
  if (element === body && getComputedStyle(documentElement).overflow === 'visible' && none(style.contain)) return false;
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return left > 0 || top > 0 || right < defaultView.innerWidth || bottom < defaultView.innerHeight;
}
