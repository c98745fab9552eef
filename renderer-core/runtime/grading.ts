// Colour grading in the page: an SVG filter for each distinct look, in front of what the author's own `filter` does.
import { attr } from '../model/attributes.ts';
import { lookOf, resolveGrading } from '../model/grading.ts';
import { gradingSteps } from '../model/gradingSteps.ts';
import { instanceOf } from './bindings.ts';
import { createFilter } from './gradingFilter.ts';
import { gradedAttribute } from './page.ts';
import type { Scopes } from './scope.ts';

const idPrefix = 'framework-grading-';
const ourFilters = new RegExp(`url\\("#${idPrefix}[a-j]+"\\) ?`, 'g');

export type Gradings = {
  /** Grades every element that asks for it, on top of the `filter` that its author's styles give it at this moment. */
  apply(): void;
  /** What cannot be graded as it was asked, in sentences. */
  warnings(): string[];
};

/**
 * A rule of the runtime's own, not the element's style: the author's styles, scripts and animations keep writing theirs.
 * The rule then holds the author's value as it was read without the rule, behind the grading.
 */
export function createGradings(window: Window & typeof globalThis, scopes: Scopes): Gradings {
  const { document } = window;
  const sheet = new window.CSSStyleSheet();
  const warnings = new Set<string>();
  /** Steps of a grading as JSON, by instance and text of the attribute. */
  const known = new Map<string, string>();
  const filters = new Map<string, SVGFilterElement>();
  const marks = new WeakMap<Element, string>();
  let css = '';
  let count = 0;

  const stepsOf = (element: Element): string => {
    const instance = instanceOf(element);
    const text = element.getAttribute(attr.colorGrading) ?? '';
    const key = `${instance} ${text}`;
    let steps = known.get(key);
    if (steps === undefined) {
      const { settings, problems } = resolveGrading(parse(text), scopes.values(instance));
      for (const { message } of problems) warnings.add(`${attr.colorGrading} of ${nameOf(element)}: ${message}`);
      steps = JSON.stringify(gradingSteps(lookOf(settings)));
      known.set(key, steps);
    }
    return steps;
  };

  const filterOf = (steps: string): SVGFilterElement => {
    let filter = filters.get(steps);
    if (!filter) {
      filter = createFilter(document, idPrefix + letters(count++), JSON.parse(steps));
      filters.set(steps, filter);
    }
    return filter;
  };

  const markOf = (element: Element): string => {
    const mark = marks.get(element) ?? letters(count++);
    marks.set(element, mark);
    // Also where a copy of the element has brought the mark of its original.
    if (element.getAttribute(gradedAttribute) !== mark) element.setAttribute(gradedAttribute, mark);
    return mark;
  };

  const rules = (): string => {
    const used = new Set<string>();
    let text = '';
    for (const element of document.querySelectorAll(`[${attr.colorGrading}]`)) {
      const steps = stepsOf(element);
      if (steps === '[]') continue;
      used.add(steps);
      // GSAP writes what it has read: a grading of ours in the author's value is none of the author's.
      const authors = window.getComputedStyle(element).filter.replaceAll(ourFilters, '');
      const value = `url("#${filterOf(steps).id}")${authors === 'none' ? '' : ` ${authors}`}`;
      text += `[${gradedAttribute}="${markOf(element)}"]{filter:${value}!important}`;
    }
    for (const [steps, filter] of filters) {
      if (used.has(steps)) continue;
      filter.ownerSVGElement?.remove();
      filters.delete(steps);
    }
    return text;
  };

  return {
    apply() {
      // At once, never across a turn of the event loop: a picture taken in between would be ungraded.
      sheet.disabled = true;
      const next = rules();
      if (next !== '' && !document.adoptedStyleSheets.includes(sheet)) {
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      }
      // In a layer, where `!important` wins over the author's.
      if (next !== css) sheet.replaceSync(`@layer framework{${next}}`);
      css = next;
      sheet.disabled = false;
    },
    warnings: () => [...warnings],
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function nameOf(element: Element): string {
  return `<${element.localName}${element.id === '' ? '' : ` id="${element.id}"`}>`;
}

/** A number in letters: GSAP takes every digit in a `filter` that it reads for an amount to start from. */
function letters(index: number): string {
  return String(index).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
}
