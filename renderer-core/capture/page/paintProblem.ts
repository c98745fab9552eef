// Tries out whether a browser can draw elements into a canvas. Runs in a page, and uses nothing outside of the function, so
// that its text can be sent to one.

/** Why this browser cannot paint a page; null if it can. */
export async function paintProblem(): Promise<string | null> {
  if (!('drawElementImage' in CanvasRenderingContext2D.prototype)) return 'the browser has no HTML-in-canvas';
  const canvas = document.createElement('canvas');
  // The names since Chrome 157, and those before.
  canvas.setAttribute('content', 'drawable');
  canvas.setAttribute('layoutsubtree', '');
  canvas.style.cssText = 'position:absolute;left:0;top:0;visibility:hidden';
  const box = document.createElement('div');
  box.setAttribute('drawable', '');
  box.style.cssText = 'width:2px;height:2px;background:#f00;visibility:visible';
  canvas.append(box);
  document.body.append(canvas);
  try {
    await new Promise((resolve) => {
      canvas.addEventListener('paint', resolve, { once: true });
      setTimeout(resolve, 3000);
    });
    const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D & {
      drawElementImage(element: Element, x: number, y: number): void;
    };
    context.drawElementImage(box, 0, 0);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    const isRight = red === 255 && green === 0 && blue === 0;
    return isRight ? null : 'the browser draws nothing with HTML-in-canvas';
  } catch (error) {
    return `the browser cannot draw with HTML-in-canvas: ${error instanceof Error ? error.message : error}`;
  } finally {
    canvas.remove();
  }
}
