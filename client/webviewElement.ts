// Elements of a webview's page, in one expression each.

type Properties<Tag extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Tag], 'attributes' | 'dataset' | 'style'>
> & {
  /** Attributes that have no property, or another name there. */
  attributes?: Record<string, string>;
};

/** An element with properties, attributes and what is in it. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { attributes = {}, ...properties }: Properties<Tag> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  Object.assign(made, properties);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A drawing of 16 by 16 in the colour of the text around it, for the eye alone. */
export function icon(path: string): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  const line = document.createElementNS(space, 'path');
  for (const [name, value] of [
    ['viewBox', '0 0 16 16'],
    ['aria-hidden', 'true'],
    ['class', 'icon'],
  ] as const)
    svg.setAttribute(name, value);
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

/** Only where it is another text: what is written again is read out again. */
export function setText(to: HTMLElement, text: string): void {
  if (to.textContent !== text) to.textContent = text;
}

/** `{0}` and `{1}` of a translated sentence, filled in. */
export function fill(text: string, ...values: readonly (string | number)[]): string {
  return text.replaceAll(/\{(\d)\}/g, (whole, index) => String(values[Number(index)] ?? whole));
}
