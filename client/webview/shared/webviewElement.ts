// Functions that create and update elements in webviews.

type Properties<Tag extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Tag], 'attributes' | 'dataset' | 'style'>
> & {
  /** Attributes that have no property of the same name. */
  attributes?: Record<string, string>;
};

/** Creates an element with properties, attributes and children. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { attributes = {}, ...properties }: Properties<Tag> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  Object.assign(created, properties);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  created.append(...children);
  return created;
}

/** A decorative 16 × 16 icon in the text color, hidden from screen readers. */
export function icon(path: string): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  const outline = document.createElementNS(namespace, 'path');
  for (const [name, value] of [
    ['viewBox', '0 0 16 16'],
    ['aria-hidden', 'true'],
    ['class', 'icon'],
  ] as const)
    svg.setAttribute(name, value);
  outline.setAttribute('d', path);
  svg.append(outline);
  return svg;
}

/** Sets the text only when it differs: screen readers announce a live region again when it is rewritten. */
export function setText(to: HTMLElement, text: string): void {
  if (to.textContent !== text) to.textContent = text;
}

/** Fills in the placeholders `{0}` and `{1}` of a translated sentence. */
export function fill(text: string, ...values: readonly (string | number)[]): string {
  return text.replaceAll(/\{(\d)\}/g, (whole, index) => String(values[Number(index)] ?? whole));
}
