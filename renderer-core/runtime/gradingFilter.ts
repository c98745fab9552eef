// The SVG filter of a grading: each step as filter primitives. Works alike on images, videos and canvases.
import { type ColourMatrix, type GradingStep, saturationMatrix } from '../model/gradingSteps.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';

type Attributes = Record<string, string>;

/** Builds the filter and puts it into the document, behind the body: there no rule of the author's counts it as a child. */
export function createFilter(document: Document, id: string, steps: readonly GradingStep[]): SVGFilterElement {
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
  let input = 'SourceGraphic';
  for (const [index, step] of steps.entries()) {
    const space = step.kind === 'tables' || step.space === 'srgb' ? 'sRGB' : 'linearRGB';
    const result = `step${index}`;
    const primitive = <Name extends keyof SVGElementTagNameMap>(name: Name, attributes: Attributes) =>
      make(filter, name, { 'color-interpolation-filters': space, ...attributes });
    if (step.kind === 'tables') {
      const transfer = primitive('feComponentTransfer', { in: input, result });
      step.channels.forEach((values, channel) => {
        const name = (['feFuncR', 'feFuncG', 'feFuncB'] as const)[channel];
        if (name) make(transfer, name, { type: 'table', tableValues: values.map(tableValue).join(' ') });
      });
    } else if (step.kind === 'matrix') {
      primitive('feColorMatrix', { in: input, values: step.matrix.join(' '), result });
    } else {
      addVibrance(primitive, step.matrix, input, result);
    }
    input = result;
  }
  return filter;
}

/** Browsers drop the fraction after they have scaled to 255: a quarter more ends at the whole number everywhere. */
function tableValue(value: number): number {
  return Number(((value + (value < 255 ? 0.25 : 0)) / 255).toFixed(5));
}

/** Of the distances of the channels from their grey: opaque where there is none, the less so the larger they are. */
const unlessColourful: ColourMatrix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, 1, 0];

/** No primitive looks at a pixel to decide how much to do: so two pictures are mixed by a mask that is made of the input. */
function addVibrance(
  primitive: (name: 'feColorMatrix' | 'feBlend' | 'feComposite', attributes: Attributes) => unknown,
  matrix: ColourMatrix,
  input: string,
  result: string,
): void {
  const name = (part: string) => `${result}-${part}`;
  primitive('feColorMatrix', { in: input, values: saturationMatrix(0).join(' '), result: name('grey') });
  primitive('feBlend', { in: input, in2: name('grey'), mode: 'difference', result: name('colour') });
  primitive('feColorMatrix', { in: name('colour'), values: unlessColourful.join(' '), result: name('mask') });
  primitive('feColorMatrix', { in: input, values: matrix.join(' '), result: name('full') });
  primitive('feComposite', { in: name('full'), in2: name('mask'), operator: 'in', result: name('changed') });
  primitive('feComposite', { in: input, in2: name('mask'), operator: 'out', result: name('kept') });
  const sum = { operator: 'arithmetic', k1: '0', k2: '1', k3: '1', k4: '0' };
  primitive('feComposite', { in: name('changed'), in2: name('kept'), ...sum, result });
}
