// Finds the elements that a selection means, and the reasons why they cannot be extracted.

import { attr } from '../../../renderer-core/model/attributes.ts';
import type { Clip } from '../../../renderer-core/model/clips.ts';
import { ancestor, type HtmlElement } from '../../../renderer-core/model/text/html.ts';
import { type Span, touches } from '../../../renderer-core/model/text/spans.ts';
import type { Timeline } from '../../../renderer-core/model/timing.ts';
import type { SourceFile } from '../sourceFile.ts';
import { brokenRule, descendants } from './extractStyles.ts';
import { trimSpan } from './trimSpan.ts';

/** Elements that are only valid in their parent. */
const fixedElements =
  /^(?:html|head|body|title|meta|link|base|script|style|template|source|track|param|option|optgroup|legend|summary|caption|colgroup|col|thead|tbody|tfoot|tr|td|th|dt|dd|svg:.*)$/;

/** The elements that a selection covers completely, if they are siblings; without a selection, the innermost element. */
export function elementsToExtract({ composition }: SourceFile, selected: Span): HtmlElement[] {
  const { root, html, text } = composition;
  if (!root) return [];
  const span = trimSpan(text, selected);
  const live = html.elements.filter((element) => element !== root && isInside(element, root));
  const covered = live.filter((element) => span.start <= element.span.start && element.span.end <= span.end);
  const outermost = covered.filter(({ parent }) => !parent || !covered.includes(parent));
  const [first] = outermost;
  if (span.end > span.start) {
    if (!first) return [];
    const isOneRow = outermost.every(({ parent }) => parent === first.parent);
    const isWhole = first.span.start === span.start && outermost.at(-1)?.span.end === span.end;
    return isOneRow && isWhole && outermost.every(isExtractable) ? outermost : [];
  }
  // The cursor can be in a tag or in the text of an element.
  const innermost = live.findLast((element) => touches(element.span, span.start) && touches(element.span, span.end));
  return innermost && isExtractable(innermost) ? [innermost] : [];
}

const isInside = (element: HtmlElement, root: HtmlElement): boolean =>
  ancestor(element, (one) => one === root) !== null;

function isExtractable(element: HtmlElement): boolean {
  const isInDrawing = ancestor(element, ({ tag }) => tag === 'svg' || tag === 'math') !== null;
  return !fixedElements.test(element.tag) && !isInDrawing && !element.attributes.has(attr.compositionSrc);
}

/** The reason why the elements cannot be extracted; undefined if they can. */
export function extractionProblem(
  { composition }: SourceFile,
  elements: readonly HtmlElement[],
  times: Timeline,
  hostTag: string,
): string | undefined {
  const all = [...elements, ...elements.flatMap(descendants)];
  const code = all.find(({ tag }) => /^(?:script|style|link|template)$/.test(tag));
  if (code) return `The selection contains a <${code.tag}>; move it out first.`;
  if (all.some(({ attributes }) => attributes.has(attr.compositionId) && !attributes.has(attr.compositionSrc)))
    return 'The selection contains an inline composition; extract that one first.';
  const isInInline = composition.inlineCompositions.some(({ element }) =>
    elements.some((one) => isInside(one, element)),
  );
  if (isInInline) return 'The selection is inside an inline composition, which has its own timeline.';
  const whole = elements.length === 1 ? elements[0] : undefined;
  const timing = timingProblem(composition.clips, all, whole, times);
  if (timing !== undefined) return timing;
  const rule = brokenRule(composition, elements, hostTag);
  if (rule !== undefined)
    return `The style rule "${rule.replace(/\s+/g, ' ')}" depends on the position of the selection; use a class selector there first.`;
  return composition.variables.problem
    ? 'The variable declarations of this file are invalid; fix them first.'
    : undefined;
}

function timingProblem(
  clips: readonly Clip[],
  all: readonly HtmlElement[],
  whole: HtmlElement | undefined,
  times: Timeline,
): string | undefined {
  const inside = clips.filter(({ element }) => all.includes(element));
  const unknown = inside.find(({ element }) => !times.byElement.has(element));
  if (unknown) return `The start of ${unknown.name} cannot be resolved.`;
  const isMedia = whole?.tag === 'video' || whole?.tag === 'audio';
  const own = whole && !isMedia ? clips.find(({ element }) => element === whole) : undefined;
  const from = (own && times.byElement.get(own.element)?.start) ?? 0;
  for (const clip of inside) {
    if (clip === own) continue;
    const start = times.byElement.get(clip.element)?.start ?? 0;
    if (start < from) return `${clip.name} starts before the element that contains it.`;
    const user = clips.find(
      ({ element, start: given }) => !all.includes(element) && given?.kind === 'after' && clip.ids.includes(given.id),
    );
    if (user) return `${user.name} is not selected and starts after ${clip.name}.`;
  }
  return undefined;
}
