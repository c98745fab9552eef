// The composition in the capture page: in an iframe, so that its document stays as the author wrote it, and inside a canvas if
// it is painted. Runs in the capture page.

import type { Point } from '../../page/features/capturePart.ts';
import type { Player } from '../../page/runtime/control.ts';
import type { PageSize } from '../../plan/resolution.ts';
import { leftItsPage, type StageOptions } from '../protocol.ts';
import { pageBackground } from './pageBackground.ts';

/** Chrome's HTML-in-canvas API, not in TypeScript's DOM types yet. */
export type LayoutCanvas = HTMLCanvasElement & { requestPaint(): void };

/** Not in TypeScript's DOM types yet either. */
type MovableParent = { moveBefore(node: Node, child: Node | null): void };

export const options = JSON.parse(document.documentElement.dataset.options ?? '{}') as StageOptions;

/** The iframe with the composition; a new one for each composition. */
export let frame: HTMLIFrameElement;
/** The parent of `frame` if the composition is painted. */
export let canvas: LayoutCanvas | null = null;

export const player = (): Player => {
  const found = (frame.contentWindow as unknown as Record<symbol, Player | undefined>)[Symbol.for('framework.player')];
  if (!found) throw new Error(leftItsPage);
  return found;
};

/** Where the page is in a video with another aspect ratio. */
export const { placement } = options.page ?? {};

type Placement = NonNullable<PageSize['placement']>;

/** Where the frame shows a point of the page, in pixels. */
export function toFrame({ x, y, z }: Point): Point {
  const { zoom = 1 } = options.page ?? {};
  const { x: left = 0, y: top = 0, stretch = 1 } = placement ?? {};
  return { x: x * zoom + left, y: y * zoom * stretch + top, z: z * zoom };
}

function createFrame(): HTMLIFrameElement {
  const { page, transparent } = options;
  const created = document.createElement('iframe');
  created.setAttribute('drawable', '');
  created.referrerPolicy = 'no-referrer';
  // Zoom changes the number of device pixels per CSS pixel and keeps the layout.
  const size = `width:${page.width}px;height:${page.height}px${page.zoom === 1 ? '' : `;zoom:${page.zoom}`}`;
  // Transparent areas of the page are white, as in a browser window.
  const background = transparent ? 'transparent' : '#fff';
  created.style.cssText = `${size}${positionCss(page)};border:0;display:block;visibility:visible;background:${background}`;
  return created;
}

/** A canvas that can draw its content. */
export function createCanvas(size: { width: number; height: number }): LayoutCanvas {
  const created = Object.assign(document.createElement('canvas'), size) as LayoutCanvas;
  // The names since Chrome 157, and that before.
  created.setAttribute('content', 'drawable');
  created.setAttribute('layoutsubtree', '');
  created.style.cssText = 'display:block;visibility:hidden';
  return created;
}

/** Puts a new frame into the page. `onPaint` is called for each paint event of its canvas. */
export function createStage(onPaint: () => void): void {
  frame = createFrame();
  hasUnderlay = false;
  if (options.canvas) {
    canvas = createCanvas(options.canvas);
    canvas.addEventListener('paint', onPaint);
    canvas.append(frame);
  }
  document.body.prepend(canvas ?? frame);
}

let hasUnderlay = false;

/** Over an underlay the page is drawn without its white background. Returns whether that has changed. */
export function setUnderlay(isThere: boolean): boolean {
  if (isThere === hasUnderlay) return false;
  hasUnderlay = isThere;
  frame.style.background = isThere ? 'transparent' : '#fff';
  return true;
}

/** Moves the frame out of its canvas, or back into it. Unlike other ways to move it, this does not load its document again. */
export function moveFrame(parent: Element, before: Element | null): void {
  (parent as Element & MovableParent).moveBefore(frame, before);
}

/** Loads the composition at `path` into the frame. */
export async function loadComposition(path: string): Promise<void> {
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  frame.src = path;
  await loaded;
}

/** Loads the composition again, into a new frame. */
export async function loadAgain(): Promise<void> {
  const { src } = frame;
  const again = createFrame();
  frame.replaceWith(again);
  frame = again;
  hasUnderlay = false;
  await clearStorage();
  await loadComposition(src);
}

/** Removes everything that the composition has stored in this origin. */
export async function clearStorage(): Promise<void> {
  localStorage.clear();
  sessionStorage.clear();
  for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name);
  for (const name of await caches.keys()) await caches.delete(name);
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API needs one asynchronous call for each cookie
  for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; max-age=0; path=/`;
  const folder = (await navigator.storage.getDirectory()) as FileSystemDirectoryHandle & {
    keys(): AsyncIterable<string>;
  };
  // A ring file in use is locked and stays.
  for await (const name of folder.keys()) await folder.removeEntry(name, { recursive: true }).catch(() => undefined);
}

/** What is painted where the page is not, the lowest color first. A translucent page is over white in an opaque video. */
export function barColors({ background }: Placement): string[] {
  if (background !== null) return [background];
  const color = pageBackground(frame.contentDocument);
  if (color === undefined) return ['#000'];
  return options.transparent ? [color] : ['#fff', color];
}

/** For screenshots, where the browser paints the bars. */
export function showBars(): void {
  if (!placement) return;
  const layers = barColors(placement).map((color) => `linear-gradient(${color},${color})`);
  // The height is the size of the gradients.
  document.body.style.cssText = `height:100vh;background:${layers.reverse().join()}`;
}

/** `zoom` also multiplies the lengths of the position. */
function positionCss({ zoom, placement }: PageSize): string {
  if (!placement) return '';
  const { x, y, stretch } = placement;
  const stretched = stretch === 1 ? '' : `;transform-origin:0 0;transform:scaleY(${stretch})`;
  return `;position:absolute;left:${x / zoom}px;top:${y / zoom}px${stretched}`;
}
