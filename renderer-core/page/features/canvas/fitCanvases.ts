// Shows canvases in painted frames as they are on the screen. Runs in the capture page.
//
// When the browser draws a canvas element inside the composition, it draws the bitmap pixel by pixel at the upper left corner
// of the element: without the size that CSS gives it, and without its background color. So while a frame is painted, such
// a canvas is scaled by a transform, and its background is a border image, which can be larger than the box.
import type { CapturePart } from '../capturePart.ts';

/** How a canvas is fitted: declarations, or why this is impossible; null if it needs none. */
export type CanvasFit = { declarations: string } | { obstacle: string } | null;

/** Properties that `declarations` sets. If they have a transition, setting them would start it. */
const fittedProperties = /all|transform|background|border|clip-path|overflow/;

type Size = { width: number; height: number };

export function canvasFit(canvas: HTMLCanvasElement, window: Window): CanvasFit {
  const style = window.getComputedStyle(canvas);
  const box = { width: Number.parseFloat(style.width), height: Number.parseFloat(style.height) };
  const { devicePixelRatio: zoom } = window;
  const bitmap = { width: canvas.width / zoom, height: canvas.height / zoom };
  if (!(box.width > 0 && box.height > 0 && bitmap.width > 0 && bitmap.height > 0)) return null;
  // The browser aligns the box with pixels of the frame.
  const scale = {
    x: Math.round(box.width * zoom) / canvas.width,
    y: Math.round(box.height * zoom) / canvas.height,
  };
  const isScaled = scale.x !== 1 || scale.y !== 1;
  if (hasEdge(style)) return { obstacle: 'a canvas has a border or padding' };
  const hasColor = !/^rgba\(.*, 0\)$/.test(style.backgroundColor);
  if (!isScaled && !hasColor) return null;
  if (hasEffects(style, scale)) return { obstacle: 'a canvas with effects is shown at another size than it is drawn' };
  return { declarations: declarations(style, scale, box, bitmap) };
}

const hasEdge = (style: CSSStyleDeclaration): boolean =>
  [style.borderTopWidth, style.borderRightWidth, style.borderBottomWidth, style.borderLeftWidth]
    .concat(style.paddingTop, style.paddingRight, style.paddingBottom, style.paddingLeft)
    .some((length) => Number.parseFloat(length) > 0);

/** Whether the canvas has styles that must not be scaled with it, or that depend on its bitmap. */
function hasEffects(style: CSSStyleDeclaration, scale: { x: number; y: number }): boolean {
  const isProportional = Math.abs(scale.x / scale.y - 1) < 0.01;
  const isFilled = style.objectFit === 'fill' || (isProportional && /contain|cover/.test(style.objectFit));
  const hasTransition = /[1-9]/.test(style.transitionDuration) && fittedProperties.test(style.transitionProperty);
  return (
    !isFilled ||
    hasTransition ||
    /px|url/.test(style.filter) ||
    style.imageRendering !== 'auto' ||
    style.outlineStyle !== 'none' ||
    [style.boxShadow, style.backgroundImage, style.clipPath, style.maskImage].some((value) => value !== 'none') ||
    !['none', ''].includes(style.backdropFilter)
  );
}

function declarations(style: CSSStyleDeclaration, scale: { x: number; y: number }, box: Size, bitmap: Size): string {
  const [x = '0px', y = '0px'] = style.transformOrigin.split(' ');
  const before = style.transform === 'none' ? '' : style.transform;
  // The browser leaves out what is outside of the border image.
  const outset = [bitmap.width - box.width, bitmap.height - box.height].map((more) => `${Math.max(0, more)}px`);
  const color = style.backgroundColor;
  const clip = clipPath(style, scale, box, bitmap);
  return [
    `transform:${before} translate(calc(-1 * ${x}),calc(-1 * ${y})) scale(${scale.x},${scale.y}) translate(${x},${y})`,
    'overflow:visible',
    'background:none',
    'border-radius:0',
    `border-image:linear-gradient(${color},${color}) 0 fill/0/0 ${outset.join(' ')} 0`,
    `clip-path:${clip}`,
  ]
    .map((declaration) => `${declaration}!important`)
    .join(';');
}

/** Rounded corners and the end of the background, in the coordinates of the bitmap. */
function clipPath(style: CSSStyleDeclaration, scale: { x: number; y: number }, box: Size, bitmap: Size): string {
  const corners = [
    style.borderTopLeftRadius,
    style.borderTopRightRadius,
    style.borderBottomRightRadius,
    style.borderBottomLeftRadius,
  ].map((corner) => {
    const [x = '0px', y = x] = corner.split(' ');
    return { x: inPixels(x, box.width) / scale.x, y: inPixels(y, box.height) / scale.y };
  });
  const radii = (['x', 'y'] as const).map((axis) => corners.map((corner) => `${corner[axis]}px`).join(' '));
  return `inset(0 ${box.width - bitmap.width}px ${box.height - bitmap.height}px 0 round ${radii.join(' / ')})`;
}

const inPixels = (length: string, side: number): number =>
  length.endsWith('%') ? (Number.parseFloat(length) * side) / 100 : Number.parseFloat(length);

export const canvasInCapture: CapturePart = {
  isNeeded: ({ window }) => window.document.getElementsByTagName('canvas').length > 0,
  begin({ window }) {
    const fits = () =>
      [...window.document.getElementsByTagName('canvas')].map((canvas) => ({ canvas, fit: canvasFit(canvas, window) }));
    let fitted = fits();
    return {
      paintStyles() {
        fitted = fits();
        return fitted.flatMap(({ canvas, fit }) =>
          fit && 'declarations' in fit ? [[canvas, fit.declarations] as const] : [],
        );
      },
      obstacle: () => fitted.map(({ fit }) => (fit && 'obstacle' in fit ? fit.obstacle : null)).find(Boolean) ?? null,
    };
  },
};
