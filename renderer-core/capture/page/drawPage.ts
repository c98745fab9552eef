// Draws the composition into the canvas around it. Runs in the capture page.
import { atFullSpeed } from './fullSpeed.ts';
import { hooksOf } from './pageFeatures.ts';
import { barColors, canvas, createCanvas, frame, type LayoutCanvas, moveFrame, options, placement } from './stage.ts';

type ElementContext = CanvasRenderingContext2D & { drawElementImage(element: Element, x: number, y: number): void };

/** Not in TypeScript's DOM types yet. */
type DeepSettings = CanvasRenderingContext2DSettings & { colorType?: 'unorm8' | 'float16' };
type DeepImageSettings = ImageDataSettings & { pixelFormat?: 'rgba-float16' };

let context: ElementContext;
/** Number of paint events of the canvas. */
export let painted = 0;

export const onPaint = (): void => void painted++;

/**
 * Waits until the browser has rendered, and returns whether anything has changed since there were `before` paint events.
 * The browser sends a paint event exactly when the rendering of the canvas's content has changed. The second of two
 * animation frames comes after the rendering that the first one belongs to. `still`: probably nothing has changed.
 */
export function rendered(before: number, still: boolean): Promise<boolean> {
  const shown = new Promise<boolean>((resolve) => {
    canvas?.addEventListener('paint', () => resolve(true), { once: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(painted !== before)));
  });
  return atFullSpeed(shown, still);
}

/** Prepares painting the composition, which is ready for its first frame. `alpha`: whether it can be transparent. */
export function beginDrawing(target: LayoutCanvas, alpha: boolean): void {
  const settings: DeepSettings = { willReadFrequently: true, alpha, ...(options.deep ? { colorType: 'float16' } : {}) };
  context = target.getContext('2d', settings) as ElementContext;
}

/** Draws the composition as last rendered. Pads odd sizes to even ones by repeating the last row and column. */
export function draw(target: LayoutCanvas): void {
  for (const { beforeDrawing } of hooksOf()) beforeDrawing?.();
  const { width, height } = options;
  const [padX, padY] = [target.width - width, target.height - height];
  if (context.getContextAttributes?.().alpha || placement) context.clearRect(0, 0, target.width, target.height);
  for (const color of placement ? barColors(placement) : []) {
    context.fillStyle = color;
    context.fillRect(0, 0, target.width, target.height);
  }
  if (padX > 0) drawClipped([width, 0, padX, target.height], padX, padY);
  if (padY > 0) drawClipped([0, height, target.width, padY], padX, padY);
  const rows = Math.min(target.height, ...hooksOf().map((hooks) => hooks.rowsAtOnce?.(target.width) ?? target.height));
  for (let top = 0; top < target.height; top += rows) drawClipped([0, top, target.width, rows], 0, 0);
}

/** What was drawn last, with eight bits a color. */
export const drawnFrame = (): VideoFrame => new VideoFrame(context.canvas, { timestamp: 0 });

/**
 * Draws a page of half floats with eight bits, to compare it with a screenshot: half floats keep colors that screens cut off before they
 * blend them. The page is in another canvas in the meantime.
 */
export async function drawForScreenshot(target: LayoutCanvas): Promise<VideoFrame> {
  const { width, height } = target;
  const shallow = createCanvas({ width, height });
  shallow.style.cssText += ';position:absolute;left:0;top:0';
  document.body.append(shallow);
  moveFrame(shallow, null);
  await rendered(painted, false);
  const deep = context;
  const { alpha = true } = deep.getContextAttributes?.() ?? {};
  context = shallow.getContext('2d', { willReadFrequently: true, alpha }) as ElementContext;
  draw(target);
  const frame = drawnFrame();
  context = deep;
  moveFrame(target, null);
  shallow.remove();
  await settle();
  return frame;
}

/** A page that is moved back into its canvas is rendered at most this many times before the next frame. */
const maxRenderings = 5;

/** Waits until a page that was moved is rendered, so that later frames are found to be repeated as if it had not been. */
export async function settle(): Promise<void> {
  for (let left = maxRenderings; left > 0 && (await rendered(painted, false)); left--);
}

/** What was drawn last, as half floats whose alpha is not premultiplied. */
export function drawnHalves(): ArrayBuffer {
  const { width, height } = context.canvas;
  const settings: DeepImageSettings = { pixelFormat: 'rgba-float16' };
  return context.getImageData(0, 0, width, height, settings).data.buffer as ArrayBuffer;
}

/** Draws the part of the page that is in `clip`, moved by `x` and `y`. */
function drawClipped(clip: [x: number, y: number, width: number, height: number], x: number, y: number): void {
  context.save();
  context.beginPath();
  context.rect(...clip);
  context.clip();
  context.translate(x + (placement?.x ?? 0), y + (placement?.y ?? 0));
  context.scale(1, placement?.stretch ?? 1);
  context.drawElementImage(frame, 0, 0);
  context.restore();
}
