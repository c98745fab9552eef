// What can be extracted: the elements that a selection means, and why some cannot leave their place.

import { attr } from '../../renderer-core/model/attributes.ts';
import type { Clip } from '../../renderer-core/model/clips.ts';
import { ancestor, type HtmlElement } from '../../renderer-core/model/html.ts';
import { type Span, touches } from '../../renderer-core/model/spans.ts';
import type { Timeline } from '../../renderer-core/model/timing.ts';
import { descendants, disturbedRule } from './extractStyles.ts';
import type { SourceFile } from './file.ts';
import { trimmed } from './trimmed.ts';

/** Elements that mean something only where they are. */
const bound =
  /^(?:html|head|body|title|meta|link|base|script|style|template|source|track|param|option|optgroup|legend|summary|caption|colgroup|col|thead|tbody|tfoot|tr|td|th|dt|dd|svg:.*)$/;

/** The elements that a selection covers whole, all of one parent, in their order; without a selection the innermost one. */
export function elementsToExtract({ composition }: SourceFile, selected: Span): HtmlElement[] {
  const { root, html, text } = composition;
  if (!root) return [];
  const span = trimmed(text, selected);
  const live = html.elements.filter((element) => element !== root && isInside(element, root));
  const covered = live.filter((element) => span.start <= element.span.start && element.span.end <= span.end);
  const outermost = covered.filter(({ parent }) => !parent || !covered.includes(parent));
  const [first] = outermost;
  if (span.end > span.start) {
    if (!first) return [];
    const isOneRow = outermost.every(({ parent }) => parent === first.parent);
    const isWhole = first.span.start === span.start && outermost.at(-1)?.span.end === span.end;
    return isOneRow && isWhole && outermost.every(canLeave) ? outermost : [];
  }
  // At the cursor: in a tag, or in the text of an element.
  const innermost = live.findLast((element) => touches(element.span, span.start) && touches(element.span, span.end));
  return innermost && canLeave(innermost) ? [innermost] : [];
}

const isInside = (element: HtmlElement, root: HtmlElement): boolean =>
  ancestor(element, (one) => one === root) !== null;

function canLeave(element: HtmlElement): boolean {
  const isInDrawing = ancestor(element, ({ tag }) => tag === 'svg' || tag === 'math') !== null;
  return !bound.test(element.tag) && !isInDrawing && !element.attributes.has(attr.compositionSrc);
}

/** The reason, in a sentence; undefined where nothing speaks against it. */
export function whyNot(
  { composition }: SourceFile,
  elements: readonly HtmlElement[],
  times: Timeline,
  hostTag: string,
): string | undefined {
  const all = [...elements, ...elements.flatMap(descendants)];
  const code = all.find(({ tag }) => /^(?:script|style|link|template)$/.test(tag));
  if (code) return `There is a <${code.tag}> in it; move that out first.`;
  if (all.some(({ attributes }) => attributes.has(attr.compositionId) && !attributes.has(attr.compositionSrc)))
    return 'There is a composition written out in it; extract that one first.';
  const isInInline = composition.inlineCompositions.some(({ element }) =>
    elements.some((one) => isInside(one, element)),
  );
  if (isInInline) return 'It is part of a composition that is written out here, with times of its own.';
  const whole = elements.length === 1 ? elements[0] : undefined;
  const timing = wrongTime(composition.clips, all, whole, times);
  if (timing !== undefined) return timing;
  const rule = disturbedRule(composition, elements, hostTag);
  if (rule !== undefined)
    return `The style rule "${rule.replace(/\s+/g, ' ')}" depends on where it stands; select by a class there first.`;
  return composition.variables.problem ? 'The declarations of this file cannot be read.' : undefined;
}

function wrongTime(
  clips: readonly Clip[],
  all: readonly HtmlElement[],
  whole: HtmlElement | undefined,
  times: Timeline,
): string | undefined {
  const inside = clips.filter(({ element }) => all.includes(element));
  const unknown = inside.find(({ element }) => !times.byElement.has(element));
  if (unknown) return `When ${unknown.name} starts is not known.`;
  const isMedia = whole?.tag === 'video' || whole?.tag === 'audio';
  const own = whole && !isMedia ? clips.find(({ element }) => element === whole) : undefined;
  const from = (own && times.byElement.get(own.element)?.start) ?? 0;
  for (const clip of inside) {
    if (clip === own) continue;
    const start = times.byElement.get(clip.element)?.start ?? 0;
    if (start < from) return `${clip.name} starts before the element that it is in.`;
    const user = clips.find(
      ({ element, start: given }) => !all.includes(element) && given?.kind === 'after' && clip.ids.includes(given.id),
    );
    if (user) return `${user.name}, which stays, starts after ${clip.name}.`;
  }
  return undefined;
}
