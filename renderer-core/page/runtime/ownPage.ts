// Scripts of the page see it as a page that is opened by itself: none of the product's elements, sheets and frames.
import { hideOwnSheets } from './ownSheets.ts';

type Page = Window & typeof globalThis;

const around = Symbol.for('framework.parent');
const frame = Symbol.for('framework.frame');

/** The window around the page, which `window.parent` does not show. */
export const windowAround = (window: Window): Window => (window as { [around]?: Window })[around] ?? window.parent;

/** The element that contains the page, which `window.frameElement` does not show. */
export const frameOf = (window: Window): Element | null =>
  (window as { [frame]?: Element | null })[frame] ?? window.frameElement;

/** Call before scripts run. `top` cannot be replaced; `stayOnPage` reports scripts that navigate because of it. */
export function hideProduct(window: Page): void {
  const { document, parent, frameElement } = window;
  Object.defineProperty(window, around, { value: parent });
  Object.defineProperty(window, frame, { value: frameElement });
  Object.defineProperty(window, 'parent', { configurable: true, enumerable: true, writable: true, value: window });
  Object.defineProperty(window, 'frameElement', { configurable: true, enumerable: true, value: null });
  hideOwnSheets(window);
  // It has done its work when the page is parsed.
  document.addEventListener('readystatechange', () => document.querySelector('link[rel=expect]')?.remove(), {
    once: true,
  });
}
