// Names of elements in messages.

/**
 * Identifies the element by the first of these attributes that it has, and by its number among elements of the same
 * description: `<img id="logo">`, `<video src="clip.mp4"> (2 of 9)`.
 */
export function describeElement(element: Element, attributes: readonly string[] = ['id', 'src']): string {
  const description = describe(element, attributes);
  const others = [...element.ownerDocument.getElementsByTagName(element.localName)];
  const alike = others.filter((other) => describe(other, attributes) === description);
  return alike.length > 1 ? `${description} (${alike.indexOf(element) + 1} of ${alike.length})` : description;
}

function describe(element: Element, attributes: readonly string[]): string {
  const label = attributes.find((name) => element.getAttribute(name));
  if (label === undefined) return `<${element.localName}>`;
  const value = element.getAttribute(label) ?? '';
  return `<${element.localName} ${label}="${value.length > 60 ? `${value.slice(0, 60)}…` : value}">`;
}
