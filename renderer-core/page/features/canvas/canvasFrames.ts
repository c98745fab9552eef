// Frames that are only passed need not be drawn on a 2D canvas whose frames begin with covering all of it: nothing that was
// drawn before is visible then. Only drawings are skipped: scripts run, and paths, styles and transforms are set.

import { type Drawing, type Frames, type WatchReads, wrap } from '../../runtime/skippedDrawings.ts';
import { coversCanvas, watchGradients } from './coveredCanvas.ts';

/**
 * `frame`: the last frame with a drawing. `skips`: whether that frame is skipped. `isCovered` and `count`: whether the last
 * frame that was drawn began with covering the canvas, and the number of its drawings.
 */
type CanvasDrawing = Drawing & {
  frame: number;
  skips: boolean;
  isCovered: boolean;
  count: number;
  /** Whether there is a clip, now and at each `save()`. */
  isClipped: boolean;
  saved: boolean[];
};

/** If drawings are missing after all, loading the page again costs more than drawing a few things. */
const minCount = 200;

/** By canvas and by context. Weak, because scripts may create a canvas for each frame. */
const drawings = new WeakMap<object, CanvasDrawing>();
/** The canvases in whose drawings something is missing. */
const skipped = new Map<HTMLCanvasElement, CanvasDrawing>();

const draws = [
  ...['clearRect', 'fillRect', 'strokeRect', 'fill', 'stroke', 'fillText', 'strokeText'],
  ...['drawImage', 'putImageData', 'drawFocusIfNeeded', 'drawElementImage'],
];

function setSkipped(canvas: HTMLCanvasElement, drawing: CanvasDrawing, frame: number | null): void {
  drawing.skippedAt = frame;
  if (frame === null) skipped.delete(canvas);
  else skipped.set(canvas, drawing);
}

/** Call before the first change of a canvas in a frame. `covers`: whether that change covers all of it. */
function beginFrame(drawing: CanvasDrawing, covers: boolean, frames: Frames): void {
  drawing.frame = frames.frame();
  drawing.skips = frames.isSkipped() && drawing.isCovered && drawing.count >= minCount;
  if (!drawing.skips) Object.assign(drawing, { isCovered: covers, count: 0 });
}

/** Whether the drawing is done. */
function begins(context: CanvasRenderingContext2D, name: string, args: unknown[], frames: Frames): boolean {
  const drawing = drawings.get(context);
  if (!drawing || !context.canvas.isConnected) return true;
  const frame = frames.frame();
  const isFirst = drawing.frame !== frame;
  const covers = isFirst || drawing.skippedAt !== null ? coversCanvas(context, name, args, drawing.isClipped) : false;
  if (isFirst) beginFrame(drawing, covers, frames);
  if (drawing.skips) {
    if (covers || drawing.skippedAt === null) setSkipped(context.canvas, drawing, frame);
    // Text is drawn if that starts to load a font.
    return name.endsWith('Text') && !document.fonts.check(context.font, String(args[0]));
  }
  drawing.count++;
  if (covers) setSkipped(context.canvas, drawing, null);
  return true;
}

/** A canvas that gets a size is empty and has its first state, also if the size is the same. */
function empty(canvas: HTMLCanvasElement, frames: Frames): void {
  const drawing = drawings.get(canvas);
  if (!drawing) return;
  setSkipped(canvas, drawing, null);
  Object.assign(drawing, { isClipped: false, saved: [] });
  if (drawing.frame !== frames.frame()) beginFrame(drawing, true, frames);
}

function wrapContext(frames: Frames): void {
  const { prototype } = CanvasRenderingContext2D;
  for (const name of draws)
    wrap(prototype, name, (context, args) => begins(context as CanvasRenderingContext2D, name, args, frames));
  const change = (name: string, with_: (drawing: CanvasDrawing) => void): void =>
    wrap(prototype, name, (context) => {
      const drawing = drawings.get(context as object);
      if (drawing) with_(drawing);
    });
  change('clip', (drawing) => {
    drawing.isClipped = true;
  });
  change('save', ({ saved, isClipped }) => saved.push(isClipped));
  change('restore', (drawing) => {
    drawing.isClipped = drawing.saved.pop() ?? drawing.isClipped;
  });
  wrap(prototype, 'reset', (context) => empty((context as CanvasRenderingContext2D).canvas, frames));
}

function wrapCanvas(frames: Frames): void {
  const { prototype } = HTMLCanvasElement;
  for (const side of ['width', 'height'] as const) {
    const { set, ...property } = Object.getOwnPropertyDescriptor(prototype, side) as PropertyDescriptor;
    Object.defineProperty(prototype, side, {
      ...property,
      set(value: unknown) {
        set?.call(this, value);
        empty(this, frames);
      },
    });
  }
  for (const name of ['setAttribute', 'removeAttribute'])
    wrap(prototype, name, (canvas, [attribute]) => {
      if (/^(width|height)$/i.test(String(attribute))) empty(canvas as HTMLCanvasElement, frames);
    });
}

export const watchCanvasReads: WatchReads = (read) => {
  for (const name of ['toDataURL', 'toBlob', 'captureStream']) wrap(HTMLCanvasElement.prototype, name, read);
  wrap(CanvasRenderingContext2D.prototype, 'getImageData', read);
  for (const owner of [CanvasRenderingContext2D.prototype, OffscreenCanvasRenderingContext2D.prototype])
    for (const name of ['drawImage', 'createPattern']) wrap(owner, name, (_, args) => args.forEach(read));
};

/** Returns what to call with each context that a script gets. Pages without 2D canvases keep the browser's own functions. */
export function skipCanvasDrawings(frames: Frames): (context: RenderingContext) => void {
  let isInstalled = false;
  return (context) => {
    if (!(context instanceof CanvasRenderingContext2D) || drawings.has(context)) return;
    const drawing: CanvasDrawing = {
      ...{ skippedAt: null, frame: Number.NaN, skips: false, isCovered: false, count: 0 },
      ...{ isClipped: false, saved: [] },
    };
    drawings.set(context, drawing).set(context.canvas, drawing);
    if (isInstalled) return;
    isInstalled = true;
    frames.follow({ find: (source) => drawings.get(source as object), drawings: skipped });
    watchGradients();
    wrapContext(frames);
    wrapCanvas(frames);
  };
}
