// Draws HDR videos with their light: a <video> is drawn with 8 bits and what is brighter than white is mapped to white, so while the
// page is drawn, a canvas of half floats is in the place of each.
import { attr } from '../../../model/attributes.ts';
import type { DecodedFrame, MediaFile } from '../../runtime/control.ts';
import { describeElement } from '../../runtime/describeElement.ts';
import { contentSize } from '../../runtime/displaySize.ts';
import type { CapturePart, Refusal, Replacement } from '../capturePart.ts';
import type { MediaPlayer } from '../video/mediaPlayer.ts';
import type { Videos } from '../video/videoInPage.ts';
import { openHdrConverter } from './hdrFrames.ts';

/** `box`: an element that looks like the video, around the canvas. `shown`: the time stamp of the frame in the canvas. */
type Twin = { box: HTMLElement; canvas: HTMLCanvasElement; shown: number | undefined };

function createTwin(): Twin {
  // Author's rules for elements of HTML do not match it.
  const [box, canvas] = [document.createElement('framework-video'), document.createElement('canvas')];
  box.append(canvas);
  return { box, canvas, shown: undefined };
}

/** Makes the twin look like the element, whose `style` is computed. `density`: pixels of the frame in a CSS pixel. */
function fitTwin({ box, canvas }: Twin, element: Element, style: CSSStyleDeclaration, density: number): void {
  canvas.style.cssText = fitStyle(style, canvas, density);
  box.style.cssText = boxStyle(style);
  box.slot = element.slot;
}

/**
 * Takes an element out of the layout, without being seen. It keeps its size and its running animations and transitions, and nothing is
 * animated by this. Returns how to end it.
 */
function hide(element: HTMLElement, size: { width: string; height: string } | undefined): () => void {
  const own = element.getAttribute('style');
  const running = element
    .getAnimations()
    .flatMap((one) => ('transitionProperty' in one ? String(one.transitionProperty) : []));
  const still = { 'transition-property': running.join() || 'none' };
  const set = (styles: Record<string, string>) => {
    for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value, 'important');
  };
  const reset = () => (own === null ? element.removeAttribute('style') : element.setAttribute('style', own));
  set({ position: 'absolute', visibility: 'hidden', ...size, ...still });
  return () => {
    reset();
    set(still);
    // Computes the styles before transitions are allowed again.
    element.checkVisibility({ visibilityProperty: true });
    reset();
  };
}

export const hdrVideoInCapture: CapturePart<Videos> = {
  inAllPages: true,
  begin(page, videos) {
    const found = videos.all().filter(({ file }) => file.isHdr);
    if (!page.isHdr) {
      const hint = 'The page shows HDR footage in SDR. Use --hdr to keep its light.';
      return found.length > 0 ? { warnings: [hint] } : undefined;
    }
    const graded = found.find(({ element }) => element.hasAttribute(attr.colorGrading));
    const limits = new Set<string>();
    return {
      traits: { needsPainting: found.length > 0 },
      ...(graded ? { refusal: refuseGrading(graded.element) } : {}),
      // Scripts may add footage later.
      replace: createReplacer(page.window, videos, limits),
      results: async () => ({ limits: [...limits] }),
    };
  },
};

const refuseGrading = (element: Element): Refusal => ({
  message: 'The color grading of HDR footage would end at white',
  hint: 'Leave out --hdr, or grade the footage in another program.',
  element: { tag: element.localName, name: element.getAttribute('id') ?? element.getAttribute('src') },
});

function createReplacer(window: Window & typeof globalThis, videos: Videos, limits: Set<string>) {
  const twins = new WeakMap<MediaFile, Twin>();
  let converter: ReturnType<typeof openHdrConverter> | undefined;

  /** The canvas with the current frame of the video; undefined if it is not HDR, or in a format that cannot be converted. */
  async function twinOf({ element, file, screen }: MediaPlayer, isSample: boolean): Promise<Twin | undefined> {
    const decoded = file.decoded?.();
    if (!decoded) return undefined;
    try {
      const twin = twins.get(file) ?? createTwin();
      twins.set(file, twin);
      if (isSample) await screen?.show(toSdr(decoded));
      if (twin.shown === decoded.frame.timestamp) return twin;
      converter ??= openHdrConverter('/__framework/hdrFrames.wasm');
      const pixels = await (await converter)(decoded.frame);
      twin.shown = decoded.frame.timestamp;
      drawPixels(twin.canvas, pixels, decoded);
      return twin;
    } catch (error) {
      limits.add(`${describeElement(element)} (${(error as Error).message})`);
      return undefined;
    } finally {
      decoded.frame.close();
    }
  }

  return async (isSample: boolean): Promise<Replacement | undefined> => {
    const found = await Promise.all(
      videos.showing().map(async (player) => {
        const twin = await twinOf(player, isSample);
        const video = player.element as HTMLVideoElement;
        if (twin && videos.isRead(video)) limits.add(`${describeElement(video)} (read by a script)`);
        return twin ? [{ element: video, twin }] : [];
      }),
    );
    const pairs = found.flat().filter(({ element }) => element.checkVisibility());
    if (pairs.length === 0) return undefined;
    for (const { element } of pairs) {
      for (const limit of limitsOf(element, window)) limits.add(limit);
    }
    let ends: (() => void)[] = [];
    return {
      begin() {
        // All styles are read before one of them changes.
        const sizes = pairs.map(({ element, twin }) => {
          const style = window.getComputedStyle(element);
          fitTwin(twin, element, style, densityOf(element, window));
          return { width: style.width, height: style.height };
        });
        ends = pairs.map(({ element }, index) => hide(element, sizes[index]));
        for (const { element, twin } of pairs) element.before(twin.box);
      },
      end() {
        for (const end of ends) end();
        for (const { twin } of pairs) twin.box.remove();
      },
    };
  };
}

/** Not in all of TypeScript's DOM types yet: the product of `zoom` of the element and those around it. */
const densityOf = (element: Element & { currentCSSZoom?: number }, { devicePixelRatio }: Window): number =>
  devicePixelRatio * (element.currentCSSZoom ?? 1);

/** Not in TypeScript's DOM types yet. */
const deep = { colorType: 'float16', willReadFrequently: true } as CanvasRenderingContext2DSettings;

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

function drawPixels(canvas: HTMLCanvasElement, pixels: ImageData, shape: DecodedFrame): void {
  const { rotation, isFlipped, width, height } = shape;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d', deep) as CanvasRenderingContext2D;
  if (rotation === 0 && !isFlipped && pixels.width === width && pixels.height === height) {
    context.putImageData(pixels, 0, 0);
    return;
  }
  const stored = new OffscreenCanvas(pixels.width, pixels.height);
  (stored.getContext('2d', deep) as OffscreenCanvasRenderingContext2D).putImageData(pixels, 0, 0);
  drawTurned(context, stored, shape);
}

/** The frame as screens show it, to compare the page with a screenshot. */
function toSdr(shape: DecodedFrame): VideoFrame {
  const canvas = new OffscreenCanvas(shape.width, shape.height);
  drawTurned(canvas.getContext('2d') as OffscreenCanvasRenderingContext2D, shape.frame, shape);
  return new VideoFrame(canvas, { timestamp: 0 });
}

/** Draws a frame with square pixels and as it is shown: phones store a rotation. */
function drawTurned(context: Context, frame: CanvasImageSource, { rotation, isFlipped, width, height }: DecodedFrame) {
  const [across, down] = rotation % 180 === 0 ? [width, height] : [height, width];
  context.reset();
  context.translate(width / 2, height / 2);
  if (isFlipped) context.scale(-1, 1);
  context.rotate((rotation * Math.PI) / 180);
  context.drawImage(frame, -across / 2, -down / 2, across, down);
}

/**
 * Everything that determines how the element looks, as declarations that are stronger than the author's rules. A video is a replaced
 * element, which a box of a fixed size looks like.
 */
function boxStyle(style: CSSStyleDeclaration): string {
  // Logical names would set the others again if the author's direction is another one.
  const names = [...style].filter((name) => !/(?:^|-)(?:inline|block)(?:-|$)/.test(name));
  const own = names.map((name) => [name, style.getPropertyValue(name)]);
  const display = style.display.startsWith('inline') ? 'inline-block' : 'block';
  const still = { animation: 'none', transition: 'none', 'view-transition-name': 'none' };
  const clip = { overflow: 'clip', 'overflow-clip-margin': 'content-box' };
  const flow = { display, direction: 'ltr', 'writing-mode': 'horizontal-tb' };
  return important([...own, ...Object.entries({ ...still, ...clip, ...flow })]);
}

/** The browser draws the bitmap of a canvas pixel by pixel, so that a transform gives it its place in the box. */
function fitStyle(style: CSSStyleDeclaration, { width, height }: HTMLCanvasElement, zoom: number): string {
  const box = { width: innerLength(style, 'width'), height: innerLength(style, 'height') };
  const shown = contentSize(style.objectFit, box, { width, height });
  const [across = '', down = ''] = style.objectPosition.match(/calc\([^)]*\)|\S+/g) ?? [];
  const [x, y] = [offset(across, box.width - shown.width), offset(down, box.height - shown.height)];
  const [scaleX, scaleY] = [(shown.width / width) * zoom, (shown.height / height) * zoom];
  return important([
    ['all', 'initial'],
    ['display', 'block'],
    ['visibility', 'inherit'],
    ['width', `${width / zoom}px`],
    ['height', `${height / zoom}px`],
    ['transform-origin', '0 0'],
    ['transform', `translate(${x}px,${y}px) scale(${scaleX},${scaleY})`],
  ]);
}

const important = (declarations: readonly (readonly string[])[]): string =>
  declarations.map(([name, value]) => `${name}:${value}!important`).join(';');

/** The length of the content. Computed lengths may include padding and border. */
function innerLength(style: CSSStyleDeclaration, side: 'width' | 'height'): number {
  const around = side === 'width' ? ['left', 'right'] : ['top', 'bottom'];
  const pixels = (name: string) => Number.parseFloat(style.getPropertyValue(name)) || 0;
  const edges = around.flatMap((edge) => [pixels(`padding-${edge}`), pixels(`border-${edge}-width`)]);
  return pixels(side) - (style.boxSizing === 'border-box' ? edges.reduce((sum, edge) => sum + edge, 0) : 0);
}

/** How far the image is moved, when `rest` is what it leaves of the box. `position`: `20%`, `10px` or `calc(100% - 10px)`. */
function offset(position: string, rest: number): number {
  const percent = Number(/(-?[\d.]+)%/.exec(position)?.[1] ?? 0);
  const [, sign = '', pixels = 0] = /(?:([+-]) )?(-?[\d.]+)px/.exec(position) ?? [];
  return (rest * percent) / 100 + (sign === '-' ? -1 : 1) * Number(pixels);
}

/** What ends at white: a filter of the element or of one around it. */
function* limitsOf(element: Element, { getComputedStyle }: Window & typeof globalThis): Generator<string> {
  const around = (at: Element): Element | undefined => at.parentElement ?? (at.getRootNode() as ShadowRoot).host;
  for (let at: Element | undefined = element; at; at = around(at))
    if (getComputedStyle(at).filter !== 'none') yield `${describeElement(at)} (filter)`;
}
