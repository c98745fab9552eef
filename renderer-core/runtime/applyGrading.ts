// Colour grading in the page: an SVG filter for each distinct look, in front of what the author's own `filter` does.
import { attr } from '../model/attributes.ts';
import { lookOf, resolveGrading } from '../model/grading.ts';
import { gradingSteps } from '../model/gradingSteps.ts';
import { instanceOf } from './bindings.ts';
import { createFilters, letters } from './gradingFilters.ts';
import { gradedAttribute } from './page.ts';
import type { Scopes } from './scope.ts';

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
  const filters = createFilters(document);
  const marks = new WeakMap<Element, string>();
  let css = '';
  let isStale = false;
  let wasMoving = false;
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
      const authors = filters.without(window.getComputedStyle(element).filter);
      const value = `${filters.value(steps)} ${authors === 'none' ? '' : authors}`;
      text += `[${gradedAttribute}="${markOf(element)}"]{filter:${value}!important}`;
    }
    filters.keep(used);
    return text;
  };

  const changes = new window.MutationObserver(() => {
    isStale = true;
  });

  /** Whether the author's filters may be others than at the last look. To look makes the browser paint the element anew. */
  const mayDiffer = (): boolean => {
    const isMoving = document.getAnimations().some(({ playState }) => playState !== 'finished');
    const differ = isStale || isMoving || wasMoving || changes.takeRecords().length > 0;
    isStale = false;
    wasMoving = isMoving;
    return differ;
  };

  return {
    apply() {
      if (css !== '' && !mayDiffer()) return;
      // At once, never across a turn of the event loop: a picture taken in between would be ungraded.
      sheet.disabled = true;
      const next = rules();
      if (css === '' && next !== '') {
        if (!document.adoptedStyleSheets.includes(sheet))
          document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
        changes.observe(document, { attributes: true, childList: true, characterData: true, subtree: true });
      }
      // In a layer, where `!important` wins over the author's.
      if (next !== css) sheet.replaceSync(`@layer framework{${next}}`);
      css = next;
      sheet.disabled = false;
      // Filters and marks are our own changes.
      changes.takeRecords();
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
