// SVG filters of color gradings: one filter primitive per step. They work the same on images, videos and canvases.
import type { GradingStep } from '../../../model/grading/gradingSteps.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';

type Attributes = Record<string, string>;

const idPrefix = 'framework-grading-';

/** The filters of a document, one per distinct list of steps. */
export type GradingFilters = {
  /** The CSS value that references the filter of `steps` (a JSON array). */
  value(steps: string): string;
  /** Removes the filters of all other steps from the document. */
  keep(used: ReadonlySet<string>): void;
  /** A value of `filter` without the filters of this document. */
  without(value: string): string;
};

export function createFilters(document: Document): GradingFilters {
  const filters = new Map<string, SVGFilterElement>();
  const ours = new RegExp(`url\\("#${idPrefix}[a-z]+"\\) ?`, 'g');
  let count = 0;
  return {
    value(steps) {
      const filter = filters.get(steps) ?? createFilter(document, idPrefix + letters(count++), JSON.parse(steps));
      filters.set(steps, filter);
      return `url("#${filter.id}")`;
    },
    keep(used) {
      for (const [steps, filter] of filters) {
        if (used.has(steps)) continue;
        filter.ownerSVGElement?.remove();
        filters.delete(steps);
      }
    },
    without: (value) => value.replaceAll(ours, ''),
  };
}

/** Encodes a number as letters: GSAP interprets every digit in a `filter` as an amount to animate. */
export function letters(index: number): string {
  return String(index).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
}

/** Adds the filter to the document after the body, where selectors such as :nth-child of the author do not count it. */
function createFilter(document: Document, id: string, steps: readonly GradingStep[]): SVGFilterElement {
  const append = <Name extends keyof SVGElementTagNameMap>(
    parent: Element,
    name: Name,
    attributes: Attributes,
  ): SVGElementTagNameMap[Name] => {
    const element = document.createElementNS(svgNamespace, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.append(element);
    return element;
  };
  // Takes no space, whatever the author's styles for svg elements are. A filter with display: none would not work.
  const style = 'all:initial!important;position:absolute!important;width:0!important;height:0!important';
  const svg = append(document.documentElement, 'svg', { 'aria-hidden': 'true', style });
  // Larger than the element, to include its shadow.
  const filter = append(svg, 'filter', { id, x: '-1', y: '-1', width: '3', height: '3' });
  // Each primitive uses the result of the previous one.
  for (const step of steps) {
    const space = step.kind === 'matrix' && step.space === 'linear' ? 'linearRGB' : 'sRGB';
    const common = { 'color-interpolation-filters': space };
    if (step.kind === 'matrix') {
      append(filter, 'feColorMatrix', { ...common, values: step.matrix.join(' ') });
      continue;
    }
    const transfer = append(filter, 'feComponentTransfer', common);
    for (const [channel, name] of (['feFuncR', 'feFuncG', 'feFuncB'] as const).entries()) {
      const values = step.channels[channel] ?? [];
      append(transfer, name, { type: 'table', tableValues: values.map(tableValue).join(' ') });
    }
  }
  return filter;
}

/** Browsers truncate after scaling to 255; adding a quarter yields the same integer in all of them. */
function tableValue(value: number): number {
  return Number(((value + (value < 255 ? 0.25 : 0)) / 255).toFixed(5));
}
