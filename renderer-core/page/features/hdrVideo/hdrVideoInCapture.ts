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
  const [box, canvas] = [document.createElement('div'), document.createElement('canvas')];
  box.append(canvas);
  return { box, canvas, shown: undefined };
}

function fitTwin({ box, canvas }: Twin, style: CSSStyleDeclaration, zoom: number): void {
  canvas.style.cssText = fitStyle(style, canvas, zoom);
  box.style.cssText = boxStyle(style);
}

export const hdrVideoInCapture: CapturePart<Videos> = {
  inAllPages: true,
  begin(page, videos) {
    const found = videos.all().filter(({ file }) => file.isHdr);
    if (found.length === 0) return undefined;
    if (!page.isHdr) return { warnings: ['The page shows HDR footage in SDR. Use --hdr to keep its light.'] };
    const graded = found.find(({ element }) => element.hasAttribute(attr.colorGrading));
    const limits = new Set<string>();
    return {
      traits: { needsPainting: true },
      ...(graded ? { refusal: refuseGrading(graded.element) } : {}),
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
  const converter = openHdrConverter('/__framework/hdrFrames.wasm');

  /** The canvas with the current frame of the video; undefined if it is not HDR. */
  async function twinOf({ file, screen }: MediaPlayer, isSample: boolean): Promise<Twin | undefined> {
    const decoded = file.decoded?.();
    if (!decoded) return undefined;
    try {
      const twin = twins.get(file) ?? createTwin();
      twins.set(file, twin);
      if (isSample) await screen?.show(toSdr(decoded));
      if (twin.shown === decoded.frame.timestamp) return twin;
      const pixels = await (await converter)(decoded.frame);
      twin.shown = decoded.frame.timestamp;
      drawPixels(twin.canvas, pixels, decoded);
      return twin;
    } finally {
      decoded.frame.close();
    }
  }

  return async (isSample: boolean): Promise<Replacement | undefined> => {
    const found = await Promise.all(
      videos.showing().map(async (player) => {
        const twin = await twinOf(player, isSample);
        return twin ? [{ element: player.element, twin }] : [];
      }),
    );
    const pairs = found.flat();
    if (pairs.length === 0) return undefined;
    for (const { element } of pairs) for (const limit of limitsOf(element, window)) limits.add(limit);
    return {
      styles: pairs.map(({ element }) => [element, 'display:none!important'] as const),
      begin() {
        // All styles are read before one of them changes.
        for (const { element, twin } of pairs) fitTwin(twin, window.getComputedStyle(element), window.devicePixelRatio);
        for (const { element, twin } of pairs) element.before(twin.box);
      },
      end() {
        for (const { twin } of pairs) twin.box.remove();
      },
    };
  };
}

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
  const own = [...style].map((name) => [name, style.getPropertyValue(name)]);
  const display = style.display.startsWith('inline') ? 'inline-block' : 'block';
  const fixed = { display, overflow: 'hidden', animation: 'none', transition: 'none', 'view-transition-name': 'none' };
  return important([...own, ...Object.entries(fixed)]);
}

/** The browser draws the bitmap of a canvas pixel by pixel, so that a transform gives it its place in the box. */
function fitStyle(style: CSSStyleDeclaration, { width, height }: HTMLCanvasElement, zoom: number): string {
  const box = { width: innerLength(style, 'width'), height: innerLength(style, 'height') };
  const shown = contentSize(style.objectFit, box, { width, height });
  const [across = '', down = ''] = style.objectPosition.split(' ');
  const [x, y] = [offset(across, box.width - shown.width), offset(down, box.height - shown.height)];
  const [scaleX, scaleY] = [(shown.width / width) * zoom, (shown.height / height) * zoom];
  return important([
    ['all', 'initial'],
    ['display', 'block'],
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

/** How far the image is moved, when `rest` is what it leaves of the box. */
const offset = (position: string, rest: number): number =>
  position.endsWith('px') ? Number.parseFloat(position) : (rest * (Number.parseFloat(position) || 0)) / 100;

/** What ends at white: a filter of the element or of one around it. */
function* limitsOf(element: Element, { getComputedStyle }: Window & typeof globalThis): Generator<string> {
  for (let at: Element | null = element; at; at = at.parentElement)
    if (getComputedStyle(at).filter !== 'none') yield `${describeElement(at)} (filter)`;
}
