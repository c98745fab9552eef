// Names of elements in messages.

/** Identifies the element by the first of these attributes that it has: `<img id="logo">`. */
export function describeElement(element: Element, attributes: readonly string[] = ['id']): string {
  const label = attributes.find((name) => element.getAttribute(name));
  return `<${element.localName}${label ? ` ${label}="${element.getAttribute(label)}"` : ''}>`;
}
