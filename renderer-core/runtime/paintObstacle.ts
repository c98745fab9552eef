// What Chrome's HTML-in-canvas is known to draw differently from the screen: found at once, not by a failed comparison.

/** A sentence for the render's report; null when the page has none of it. Measured: docs/capture.md. */
export function paintObstacle(window: Window & typeof globalThis): string | null {
  const { document } = window;
  for (const canvas of document.getElementsByTagName('canvas')) {
    // On a page that is drawn larger than it is laid out, a canvas of its own size is shown at another.
    const { devicePixelRatio: zoom } = window;
    const stretched = canvas.clientWidth * zoom !== canvas.width || canvas.clientHeight * zoom !== canvas.height;
    if (stretched && canvas.clientWidth > 0) return 'a canvas is shown at another size than it is drawn';
  }
  for (const element of document.body?.getElementsByTagName('*') ?? []) {
    if (element.childElementCount < 2) continue;
    if (window.getComputedStyle(element).transformStyle === 'preserve-3d')
      return 'an element sorts its parts in depth (preserve-3d)';
  }
  return null;
}
