// Declarations on elements on which they are ignored.
import { attr } from '../model/attributes.ts';
import type { Composition } from '../model/composition.ts';
import { type HtmlAttribute, type HtmlElement, mappedText } from '../model/text/html.ts';
import { readDeclarations } from '../model/variables/readDeclarations.ts';
import type { Declarations } from '../model/variables/variables.ts';

export type Misplaced = { element: HtmlElement; attribute: HtmlAttribute; declarations: Declarations };

/** In source order. The content of other templates is not checked. */
export function misplacedIn({ html, template, variables, text }: Composition): Misplaced[] {
  return html.elements.flatMap((element) => {
    const attribute = element.attributes.get(attr.compositionVariables);
    if (!attribute || element.template !== template) return [];
    const value = attribute.valueSpan;
    if (value && value.start === variables.span?.start) return [];
    const source = mappedText(text, element, attr.compositionVariables);
    return source ? [{ element, attribute, declarations: readDeclarations(source) }] : [];
  });
}

/** The variables of misplaced declarations; `unknown` if their JSON is invalid. */
export function misplacedIds(composition: Composition): ReadonlySet<string> | 'unknown' {
  const all = misplacedIn(composition).map(({ declarations }) => declarations);
  if (all.some(({ problem }) => problem)) return 'unknown';
  return new Set(
    all.flatMap(({ declared, rejected }) => [
      ...declared.map(({ declaration }) => declaration.id),
      ...rejected.flatMap(({ id }) => id ?? []),
    ]),
  );
}
