// Whether a page may be drawn in parts, one below the other, at the cost of drawing it once.

/** What is looked at for its styles; larger pages are drawn as a whole. */
const maxElements = 200;

/**
 * Blurs are worked out anew for each part, and for what surrounds it as well. Asked once: a frame must not depend on how
 * the ones before it were drawn.
 */
export function mayBeDrawnInParts(window: Window & typeof globalThis): boolean {
  const elements = window.document.getElementsByTagName('*');
  if (elements.length > maxElements) return false;
  return [...elements].every((element) => {
    const { boxShadow, textShadow, filter, backdropFilter } = window.getComputedStyle(element);
    return [boxShadow, textShadow, filter, backdropFilter].every((value) => value === 'none' || value === '');
  });
}
