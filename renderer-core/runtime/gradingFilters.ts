// The SVG filters of gradings: each step as a filter primitive. They work alike on images, videos and canvases.
import type { GradingStep } from '../model/gradingSteps.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';

type Attributes = Record<string, string>;

const idPrefix = 'framework-grading-';

/** The filters of a document, one for each distinct list of steps. */
export type GradingFilters = {
  /** A CSS value that names the filter of `steps` (a list as JSON). */
  value(steps: string): string;
  /** Takes the filters of all other steps out of the document. */
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

/** A number in letters: GSAP takes every digit in a `filter` that it reads for an amount to start from. */
export function letters(index: number): string {
  return String(index).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
}

/** Builds the filter and puts it into the document, behind the body: there no rule of the author's counts it as a child. */
function createFilter(document: Document, id: string, steps: readonly GradingStep[]): SVGFilterElement {
  const make = <Name extends keyof SVGElementTagNameMap>(
    parent: Element,
    name: Name,
    attributes: Attributes,
  ): SVGElementTagNameMap[Name] => {
    const element = document.createElementNS(svgNamespace, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.append(element);
    return element;
  };
  // Takes no room, whatever the author's styles say about svg elements. Without being displayed it would not work.
  const style = 'all:initial!important;position:absolute!important;width:0!important;height:0!important';
  const svg = make(document.documentElement, 'svg', { 'aria-hidden': 'true', style });
  // Larger than the element: its shadow is part of the picture too.
  const filter = make(svg, 'filter', { id, x: '-1', y: '-1', width: '3', height: '3' });
  // Each primitive takes the result of the one before it.
  for (const step of steps) {
    const space = step.kind === 'matrix' && step.space === 'linear' ? 'linearRGB' : 'sRGB';
    const common = { 'color-interpolation-filters': space };
    if (step.kind === 'matrix') {
      make(filter, 'feColorMatrix', { ...common, values: step.matrix.join(' ') });
      continue;
    }
    const transfer = make(filter, 'feComponentTransfer', common);
    for (const [channel, name] of (['feFuncR', 'feFuncG', 'feFuncB'] as const).entries()) {
      const values = step.channels[channel] ?? [];
      make(transfer, name, { type: 'table', tableValues: values.map(tableValue).join(' ') });
    }
  }
  return filter;
}

/** Browsers drop the fraction after they have scaled to 255: a quarter more ends at the whole number everywhere. */
function tableValue(value: number): number {
  return Number(((value + (value < 255 ? 0.25 : 0)) / 255).toFixed(5));
}
