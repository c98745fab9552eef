// A visible canvas is cleared before each frame that draws on it, as browsers do unless the page requests
// `preserveDrawingBuffer` (the runtime always does, for capture). So nothing that was drawn in an earlier frame is visible
// in a later one, and frames that are only passed need not be drawn. Everything else runs:
// scripts, uploads, and drawing into textures. If a skipped drawing is needed after all, because a script reads it or the
// canvas is not drawn again, `missingFrom` says so, and the page must be passed again.

import type { PagePart } from '../../runtime/pagePart.ts';
import { type Drawing, type Frames, type WatchReads, wrap } from '../../runtime/skippedDrawings.ts';

type Context = WebGLRenderingContext | WebGL2RenderingContext;
type Method = (this: unknown, ...args: unknown[]) => unknown;

/**
 * `drawnAt`: the last frame that was drawn. `recorders`: the number of queries and transform feedbacks in progress, for which
 * drawing has other results than pixels.
 */
type GlDrawing = Drawing & { drawnAt: number; recorders: number };

/** The canvases that are cleared before each frame, by element and by context. */
const drawings = new Map<unknown, GlDrawing>();
let frames: Frames;

const drawsToTexture = 0x8ca6;
const readsFromTexture = 0x8caa;

const isWebGl2 = (gl: Context): gl is WebGL2RenderingContext => 'READ_BUFFER' in gl;

/** Whether the call draws. Clears the canvas before the first drawing of a frame. */
function begins(gl: Context): boolean {
  const drawing = drawings.get(gl);
  if (!drawing || !(gl.canvas as HTMLCanvasElement).isConnected || gl.getParameter(drawsToTexture)) return true;
  const frame = frames.frame();
  if (frames.isSkipped() && drawing.recorders === 0) {
    drawing.skippedAt = frame;
    return false;
  }
  if (drawing.drawnAt !== frame) {
    drawing.drawnAt = frame;
    drawing.skippedAt = null;
    clearAll(gl);
  }
  return true;
}

/** Clears color, depth and stencil, and leaves the state of the context as it is. */
function clearAll(gl: Context): void {
  const tests = [gl.SCISSOR_TEST, ...(isWebGl2(gl) ? [gl.RASTERIZER_DISCARD] : [])].filter((test) =>
    gl.isEnabled(test),
  );
  const [color, depth, stencil] = [gl.COLOR_CLEAR_VALUE, gl.DEPTH_CLEAR_VALUE, gl.STENCIL_CLEAR_VALUE].map((name) =>
    gl.getParameter(name),
  );
  const masks = gl.getParameter(gl.COLOR_WRITEMASK);
  const depthMask = gl.getParameter(gl.DEPTH_WRITEMASK);
  const [front, back] = [gl.STENCIL_WRITEMASK, gl.STENCIL_BACK_WRITEMASK].map((name) => gl.getParameter(name));
  for (const test of tests) gl.disable(test);
  gl.clearColor(0, 0, 0, 0);
  gl.clearDepth(1);
  gl.clearStencil(0);
  gl.colorMask(true, true, true, true);
  gl.depthMask(true);
  gl.stencilMask(-1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
  for (const test of tests) gl.enable(test);
  gl.clearColor(...(color as [number, number, number, number]));
  gl.clearDepth(depth);
  gl.clearStencil(stencil);
  gl.colorMask(...(masks as [boolean, boolean, boolean, boolean]));
  gl.depthMask(depthMask);
  gl.stencilMaskSeparate(gl.FRONT, front);
  gl.stencilMaskSeparate(gl.BACK, back);
}

const draws = /^(multiD|d)raw(Arrays|Elements|RangeElements)|^clear$|^clearBuffer/;
const readsDrawing = /^(readPixels|copyTex)/;

function wrapContexts(): void {
  const record = (step: number) => (gl: unknown) => {
    const drawing = drawings.get(gl);
    if (drawing) drawing.recorders += step;
  };
  for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext]) {
    const binding = prototype === WebGL2RenderingContext.prototype ? readsFromTexture : drawsToTexture;
    const readOwn = (gl: unknown): void => {
      if (!(gl as Context).getParameter(binding)) frames.read(gl);
    };
    for (const name of Object.getOwnPropertyNames(prototype)) {
      if (draws.test(name)) wrap(prototype, name, (gl) => begins(gl as Context));
      else if (readsDrawing.test(name)) wrap(prototype, name, readOwn);
    }
    for (const name of ['beginQuery', 'blitFramebuffer']) wrap(prototype, name, readOwn);
    wrap(prototype, 'blitFramebuffer', (gl) => begins(gl as Context));
    for (const name of ['Query', 'TransformFeedback']) {
      wrap(prototype, `begin${name}`, record(1));
      wrap(prototype, `end${name}`, record(-1));
    }
    wrapExtensions(prototype);
  }
}

/** Extensions draw with methods of their own. */
function wrapExtensions(prototype: Context): void {
  const { getExtension } = prototype as unknown as { getExtension: Method };
  const wrapped = new WeakSet<object>();
  const getWrapped: Method = function (...args) {
    const extension = getExtension.apply(this, args) as object | null;
    if (extension === null || wrapped.has(extension)) return extension;
    wrapped.add(extension);
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(extension)))
      if (draws.test(name)) wrap(extension, name, () => begins(this as Context));
    return extension;
  };
  Object.assign(prototype, { getExtension: getWrapped });
}

/** Contexts whose pages request that drawings are kept. */
const isKept = new WeakSet<object>();

/** Returns what to call with each context that a script gets. Pages without WebGL keep the browser's own functions. */
function skipDrawings(given: Frames): (context: RenderingContext, options: unknown) => void {
  let isInstalled = false;
  return (context, options) => {
    const isWebGl = context instanceof WebGLRenderingContext || context instanceof WebGL2RenderingContext;
    if (!isWebGl || drawings.has(context) || isKept.has(context)) return;
    if ((options as WebGLContextAttributes | undefined)?.preserveDrawingBuffer) {
      isKept.add(context);
      return;
    }
    const drawing: GlDrawing = { drawnAt: -1, skippedAt: null, recorders: 0 };
    drawings.set(context, drawing).set(context.canvas, drawing);
    if (isInstalled) return;
    isInstalled = true;
    frames = given;
    frames.follow({ find: (source) => drawings.get(source), drawings });
    wrapContexts();
  };
}

const watchTextureReads: WatchReads = (read) => {
  for (const owner of [WebGLRenderingContext.prototype, WebGL2RenderingContext.prototype])
    for (const name of ['texImage2D', 'texSubImage2D', 'texImage3D', 'texSubImage3D'])
      wrap(owner, name, (_, args) => args.forEach(read));
};

export const webglInPage: PagePart = {
  install({ window, frames }) {
    const { prototype } = window.HTMLCanvasElement;
    const { getContext } = prototype;
    const skip = skipDrawings(frames);
    frames.onReads(watchTextureReads);
    let isRefused = false;
    const watched = function (this: HTMLCanvasElement, kind: string, options?: unknown) {
      if (!/webgl/i.test(kind)) return getContext.call(this, kind, options);
      // Canvases are captured between animation frames, when the drawing must still exist.
      const context = getContext.call(this, kind, { ...(options as object), preserveDrawingBuffer: true });
      if (context === null) isRefused = true;
      else skip(context, options);
      return context;
    };
    prototype.getContext = watched as typeof getContext;
    return {
      override: ({ missing }) => ({ missing: () => ({ ...missing(), ...(isRefused ? { graphics3d: true } : {}) }) }),
    };
  },
};
