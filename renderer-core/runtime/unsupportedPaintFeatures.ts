// Features that Chrome's HTML-in-canvas draws differently from the screen: detected before the first frame, not by a
// failed comparison.

/** Why the page cannot be painted, for the render's report; null if it can (docs/capture.md). */
export function unsupportedPaintFeature(window: Window & typeof globalThis): string | null {
  const { document } = window;
  for (const canvas of document.getElementsByTagName('canvas')) {
    // On a zoomed page, a canvas is shown at another size than its own.
    const { devicePixelRatio: zoom } = window;
    const isScaled = canvas.clientWidth * zoom !== canvas.width || canvas.clientHeight * zoom !== canvas.height;
    if (isScaled && canvas.clientWidth > 0) return 'a canvas is shown at another size than it is drawn';
  }
  for (const element of document.body?.getElementsByTagName('*') ?? []) {
    if (element.childElementCount < 2) continue;
    if (window.getComputedStyle(element).transformStyle === 'preserve-3d')
      return 'an element sorts its children by depth (preserve-3d)';
  }
  return null;
}
