// The background color of a page, which also fills bars next to it. Runs in pages.

const none = 'rgba(0, 0, 0, 0)';

/** The background color of the root, or else of the body; undefined if neither has one. */
export function pageBackground(document: Document | null): string | undefined {
  const elements = [document?.documentElement, document?.body];
  const colors = elements.map((element) => (element ? getComputedStyle(element).backgroundColor : none));
  return colors.find((color) => color !== none);
}
