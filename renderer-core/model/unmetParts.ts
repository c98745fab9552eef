// The parts of a composition whose conditions do not hold: the page is assembled without them.
import type { Composition } from './composition.ts';
import { holds } from './conditions.ts';
import type { HtmlElement } from './text/html.ts';
import type { Span } from './text/spans.ts';

/**
 * The composition without the elements whose conditions do not hold, and the spans of these elements. The text and the tree of
 * the composition stay as they are.
 */
export function withoutUnmet(
  composition: Composition,
  values: Readonly<Record<string, unknown>>,
): { composition: Composition; left: readonly Span[] } {
  const { root } = composition;
  const unmet = composition.conditions.filter((one) => !holds(one, values) && !contains(one.element, root));
  if (unmet.length === 0) return { composition, left: [] };
  const left = unmet.map(({ element }) => element.span);
  const isInside = (span: Span) => left.some(({ start, end }) => start <= span.start && span.end <= end);
  const isKept = ({ element }: { element: HtmlElement }) => !isInside(element.span);
  const kept: Partial<Composition> = {
    hosts: composition.hosts.filter(isKept),
    inlineCompositions: composition.inlineCompositions.filter(isKept),
    clips: composition.clips.filter(isKept),
    media: composition.media.filter(isKept),
    bindings: composition.bindings.filter(isKept),
    captions: composition.captions.filter(isKept),
    gradings: composition.gradings.filter(isKept),
    scripts: composition.scripts.filter(isKept),
    styles: composition.styles.filter(isKept),
    stylesheets: composition.stylesheets.filter(isKept),
    assetReferences: composition.assetReferences.filter(({ span }) => !isInside(span)),
  };
  return { composition: { ...composition, ...kept }, left };
}

/** A composition cannot depend on its own values. */
const contains = (element: HtmlElement, root: HtmlElement | null): boolean =>
  root !== null && element.span.start <= root.span.start && root.span.end <= element.span.end;
