// Color grading in the page: one SVG filter per distinct look, applied before the author's `filter`.
import { attr } from '../../../model/attributes.ts';
import { lookOf, resolveGrading } from '../../../model/grading/grading.ts';
import { gradingSteps } from '../../../model/grading/gradingSteps.ts';
import { instanceOf } from '../../runtime/bindings.ts';
import { describeElement } from '../../runtime/describeElement.ts';
import { adoptSheet } from '../../runtime/ownSheets.ts';
import type { PageHooks, PagePart } from '../../runtime/pagePart.ts';
import type { Scopes } from '../../runtime/scope.ts';
import { createFilters, letters } from './gradingFilters.ts';

/** Identifies graded elements in the style sheet. */
const gradedAttribute = 'data-framework-graded';

/**
 * Gradings are rules of a separate style sheet, because the author's styles, scripts and animations write the element's
 * own style. Each rule contains the grading, followed by the author's `filter`, which is read while the sheet is disabled.
 */
function createGradings(
  window: Window & typeof globalThis,
  scopes: Scopes,
): Required<Pick<PageHooks, 'begin' | 'apply' | 'warnings'>> {
  const { document } = window;
  const sheet = new window.CSSStyleSheet();
  const filters = createFilters(document);
  const warnings = new Set<string>();
  const stepsOf = createStepReader(scopes, warnings);
  const markOf = createMarker();
  const authorFilters = watchAuthorFilters(window);
  let css = '';

  const readRules = (): string => {
    const used = new Set<string>();
    let rules = '';
    for (const element of document.querySelectorAll(`[${attr.colorGrading}]`)) {
      const steps = stepsOf(element);
      if (steps === '[]') continue;
      used.add(steps);
      // GSAP writes back what it has read, so the author's value can contain our filter.
      const authors = filters.without(window.getComputedStyle(element).filter);
      const value = `${filters.value(steps)} ${authors === 'none' ? '' : authors}`;
      rules += `[${gradedAttribute}="${markOf(element)}"]{filter:${value}!important}`;
    }
    filters.keep(used);
    return rules;
  };

  /** Grades every element with a color grading, in addition to the current `filter` of the author's styles. */
  const apply = (): void => {
    if (css !== '' && !authorFilters.mayDiffer()) return;
    // Synchronous: a frame that is captured while the sheet is disabled would not be graded.
    sheet.disabled = true;
    const next = readRules();
    if (css === '' && next !== '') {
      adoptSheet(document, sheet);
      authorFilters.observe();
    }
    // In a layer, `!important` has priority over the author's styles.
    if (next !== css) sheet.replaceSync(`@layer framework{${next}}`);
    css = next;
    sheet.disabled = false;
    authorFilters.reset();
  };

  return { begin: apply, apply, warnings: () => [...warnings] };
}

export const colorGradingInPage: PagePart = { install: ({ window, scopes }) => createGradings(window, scopes) };

/**
 * Returns a function that returns the steps of an element's grading as JSON, and adds to `warnings` what cannot be applied
 * as written.
 */
function createStepReader(scopes: Scopes, warnings: Set<string>): (element: Element) => string {
  /** By instance and attribute value. */
  const known = new Map<string, string>();
  return (element) => {
    const instance = instanceOf(element);
    const text = element.getAttribute(attr.colorGrading) ?? '';
    const key = `${instance} ${text}`;
    let steps = known.get(key);
    if (steps === undefined) {
      const { settings, problems } = resolveGrading(parse(text), scopes.values(instance));
      for (const { message } of problems)
        warnings.add(`${attr.colorGrading} of ${describeElement(element)}: ${message}`);
      steps = JSON.stringify(gradingSteps(lookOf(settings)));
      known.set(key, steps);
    }
    return steps;
  };
}

/** Returns a function that marks an element for its rule, and returns the mark. */
function createMarker(): (element: Element) => string {
  const marks = new WeakMap<Element, string>();
  let count = 0;
  return (element) => {
    const mark = marks.get(element) ?? letters(count++);
    marks.set(element, mark);
    // A clone of an element has the mark of the original.
    if (element.getAttribute(gradedAttribute) !== mark) element.setAttribute(gradedAttribute, mark);
    return mark;
  };
}

/** Detects when the author's filters may have changed, because reading them makes the browser repaint the elements. */
function watchAuthorFilters({ document, MutationObserver }: Window & typeof globalThis) {
  let isStale = false;
  let wasMoving = false;
  const changes = new MutationObserver(() => {
    isStale = true;
  });
  return {
    observe: () => changes.observe(document, { attributes: true, childList: true, characterData: true, subtree: true }),
    /** Whether they may have changed since the last call. */
    mayDiffer(): boolean {
      const isMoving = document.getAnimations().some(({ playState }) => playState !== 'finished');
      const differ = isStale || isMoving || wasMoving || changes.takeRecords().length > 0;
      isStale = false;
      wasMoving = isMoving;
      return differ;
    },
    /** Call after own changes, which do not count. */
    reset: () => void changes.takeRecords(),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
