// Canvases in the page: 2D drawings of frames that are only passed, and canvases that change without a paint event.
import type { PagePart } from '../../runtime/pagePart.ts';
import { skipCanvasDrawings, watchCanvasReads } from './canvasFrames.ts';

export const canvasInPage: PagePart = {
  install({ window, frames }) {
    const { prototype } = window.HTMLCanvasElement;
    const { transferControlToOffscreen, getContext } = prototype;
    const skipDrawings = skipCanvasDrawings(frames);
    frames.onReads(watchCanvasReads);
    // A canvas that was transferred to a worker changes without a paint event.
    let handedOver = false;
    prototype.transferControlToOffscreen = function (this: HTMLCanvasElement) {
      handedOver = true;
      return transferControlToOffscreen.call(this);
    };
    const watched = function (this: HTMLCanvasElement, kind: string, options?: unknown) {
      const context = getContext.call(this, kind, options);
      if (context !== null) skipDrawings(context);
      return context;
    };
    prototype.getContext = watched as typeof getContext;
    return { override: ({ rendersOnPaint }) => ({ rendersOnPaint: () => !handedOver && rendersOnPaint() }) };
  },
};
