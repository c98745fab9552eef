// What the page's canvases mean for capture: whether they need WebGL, and whether the browser tells when they change.

export type Canvases = {
  /** False once a canvas was handed to a worker, which changes it without a paint event. */
  renderOnPaint(): boolean;
  /** Whether a WebGL context was asked for and refused. */
  lackWebGl(): boolean;
};

export function watchCanvases(window: Window & typeof globalThis): Canvases {
  let handedOver = false;
  let refused = false;
  const { transferControlToOffscreen, getContext } = window.HTMLCanvasElement.prototype;
  window.HTMLCanvasElement.prototype.transferControlToOffscreen = function (this: HTMLCanvasElement) {
    handedOver = true;
    return transferControlToOffscreen.call(this);
  };
  const watched = function (this: HTMLCanvasElement, kind: string, options?: unknown) {
    const isWebGl = /webgl/i.test(kind);
    // The picture is read at any moment between two animation frames: the drawing must still be there.
    const context = getContext.call(
      this,
      kind,
      isWebGl ? { ...(options as object), preserveDrawingBuffer: true } : options,
    );
    if (context === null && isWebGl) refused = true;
    return context;
  };
  window.HTMLCanvasElement.prototype.getContext = watched as typeof getContext;
  return { renderOnPaint: () => !handedOver, lackWebGl: () => refused };
}
