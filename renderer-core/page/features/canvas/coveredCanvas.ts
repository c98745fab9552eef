// Whether a drawing on a 2D canvas covers all of it, so that nothing from before is visible.

/** In pixels: how far the edges of what covers a canvas may be inside of it, because of rounding. */
const tolerance = 1e-4;

/** Gradients that cover everything they fill if all their colors are opaque. The others are not in the map. */
const coveringGradients = new WeakMap<CanvasGradient, { colors: number; isOpaque: boolean }>();

/** `name` is the method of the context that draws. `isClipped`: whether there may be a clip. */
export function coversCanvas(
  context: CanvasRenderingContext2D,
  name: string,
  args: readonly unknown[],
  isClipped: boolean,
): boolean {
  const { width, height } = context.canvas;
  if (name === 'putImageData') {
    const [data, x, y] = args as [ImageData, number, number];
    return args.length === 3 && x <= 0 && y <= 0 && x + data.width >= width && y + data.height >= height;
  }
  if (isClipped || (name !== 'clearRect' && name !== 'fillRect')) return false;
  const [x, y, w, h] = args.map(Number) as [number, number, number, number];
  if (!containsCanvas(context, { x, y, w, h })) return false;
  return name === 'clearRect' || fillsOpaquely(context);
}

type Rectangle = { x: number; y: number; w: number; h: number };

/** Whether a rectangle, transformed by the context, contains all corners of the canvas. */
function containsCanvas(context: CanvasRenderingContext2D, { x, y, w, h }: Rectangle): boolean {
  const { width, height } = context.canvas;
  const matrix = context.getTransform();
  const { a, b, c, d } = matrix;
  if (a * d - b * c === 0) return false;
  const inverse = matrix.inverse();
  const [left, right] = [Math.min(x, x + w), Math.max(x, x + w)];
  const [top, bottom] = [Math.min(y, y + h), Math.max(y, y + h)];
  const slack = tolerance / Math.max(Math.abs(a), Math.abs(b), Math.abs(c), Math.abs(d));
  return [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ].every(([cornerX, cornerY]) => {
    const corner = inverse.transformPoint({ x: cornerX as number, y: cornerY as number });
    return (
      corner.x >= left - slack && corner.x <= right + slack && corner.y >= top - slack && corner.y <= bottom + slack
    );
  });
}

function fillsOpaquely({
  globalAlpha,
  globalCompositeOperation,
  filter,
  fillStyle,
}: CanvasRenderingContext2D): boolean {
  if (globalAlpha !== 1 || !/^(source-over|copy)$/.test(globalCompositeOperation) || (filter ?? 'none') !== 'none')
    return false;
  if (typeof fillStyle === 'string') return fillStyle.startsWith('#');
  const gradient = coveringGradients.get(fillStyle as CanvasGradient);
  return gradient !== undefined && gradient.colors > 0 && gradient.isOpaque;
}

type Create = (this: unknown, ...args: number[]) => CanvasGradient;

/** Follows the shapes and colors of gradients, which cannot be read. */
export function watchGradients(): void {
  const covering: Record<string, (...args: number[]) => boolean> = {
    createLinearGradient: (x0 = 0, y0 = 0, x1 = 0, y1 = 0) => x0 !== x1 || y0 !== y1,
    // One circle is inside of the other.
    createRadialGradient: (x0 = 0, y0 = 0, r0 = 0, x1 = 0, y1 = 0, r1 = 0) =>
      Math.hypot(x1 - x0, y1 - y0) < Math.abs(r1 - r0),
    createConicGradient: () => true,
  };
  const methods = CanvasRenderingContext2D.prototype as unknown as Record<string, Create>;
  for (const [name, covers] of Object.entries(covering)) {
    const create = methods[name] as Create;
    methods[name] = function (...args) {
      const gradient = create.apply(this, args);
      if (covers(...args)) coveringGradients.set(gradient, { colors: 0, isOpaque: true });
      return gradient;
    };
  }
  const { addColorStop } = CanvasGradient.prototype;
  CanvasGradient.prototype.addColorStop = function (offset, color) {
    addColorStop.call(this, offset, color);
    const gradient = coveringGradients.get(this);
    if (!gradient) return;
    gradient.colors++;
    gradient.isOpaque &&= isOpaque(color);
  };
}

let scratch: CanvasRenderingContext2D | null;

/** Browsers write opaque colors as #rrggbb. */
function isOpaque(color: string): boolean {
  scratch ??= document.createElement('canvas').getContext('2d');
  if (!scratch || /current/i.test(color)) return false;
  scratch.fillStyle = '#000';
  scratch.fillStyle = color;
  return scratch.fillStyle.startsWith('#');
}
