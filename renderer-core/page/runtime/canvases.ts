// Observes the page's canvases for capture: whether WebGL is missing, and whether canvases change without a paint event.

export type Canvases = {
  /** False after a canvas was transferred to a worker, which changes it without a paint event. */
  renderOnPaint(): boolean;
  /** Whether the page requested a WebGL context and the browser refused. */
  lackWebGl(): boolean;
  /** `listener` gets each context that a script requests, with the script's options. */
  onContext(listener: (context: RenderingContext, options: unknown) => void): void;
};

export function watchCanvases(window: Window & typeof globalThis): Canvases {
  let handedOver = false;
  let refused = false;
  let listener: Parameters<Canvases['onContext']>[0] = () => undefined;
  const { transferControlToOffscreen, getContext } = window.HTMLCanvasElement.prototype;
  window.HTMLCanvasElement.prototype.transferControlToOffscreen = function (this: HTMLCanvasElement) {
    handedOver = true;
    return transferControlToOffscreen.call(this);
  };
  const watched = function (this: HTMLCanvasElement, kind: string, options?: unknown) {
    const isWebGl = /webgl/i.test(kind);
    // Canvases are captured between animation frames, when the drawing must still exist.
    const context = getContext.call(
      this,
      kind,
      isWebGl ? { ...(options as object), preserveDrawingBuffer: true } : options,
    );
    if (context !== null) listener(context, options);
    else if (isWebGl) refused = true;
    return context;
  };
  window.HTMLCanvasElement.prototype.getContext = watched as typeof getContext;
  return {
    renderOnPaint: () => !handedOver,
    lackWebGl: () => refused,
    onContext(given) {
      listener = given;
    },
  };
}
