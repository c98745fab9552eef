// The attributes of a file whose values are JSON, as trees with positions, and a walk through these trees.
import { attr } from '../../../renderer-core/model/attributes.ts';
import type { Composition } from '../../../renderer-core/model/composition.ts';
import type { HtmlAttribute, HtmlElement } from '../../../renderer-core/model/text/html.ts';
import type { JsonNode } from '../../../renderer-core/model/text/jsonText.ts';
import { distinctByStart } from '../distinctByStart.ts';

/** `root` is undefined if nothing in the text can be parsed. */
export type JsonAttribute = {
  of: 'declarations' | 'values' | 'grading';
  element: HtmlElement;
  attribute: HtmlAttribute;
  root: JsonNode | undefined;
};

/** The JSON attributes of a file in source order, without those that have no effect, such as in inert templates. */
export function jsonAttributes(composition: Composition): JsonAttribute[] {
  const found: JsonAttribute[] = [];
  const add = (of: JsonAttribute['of'], element: HtmlElement | undefined, name: string, root: JsonNode | undefined) => {
    const attribute = element?.attributes.get(name);
    if (element && attribute) found.push({ of, element, attribute, root });
  };
  const { variables } = composition;
  add('declarations', declarationsElement(composition), attr.compositionVariables, variables.json?.root);
  for (const { element, values } of [...composition.hosts, ...composition.inlineCompositions]) {
    add('values', element, attr.variableValues, values?.json.root);
  }
  for (const { element, json } of composition.gradings) add('grading', element, attr.colorGrading, json.root);
  return distinctByStart(found, ({ attribute }) => attribute.span.start);
}

/** The element with the file's variable declarations. */
export function declarationsElement({ html, root, variables }: Composition): HtmlElement | undefined {
  const start = variables.span?.start;
  if (start === undefined) return undefined;
  const isHolder = (element: HtmlElement | null) => {
    const attribute = element?.attributes.get(attr.compositionVariables);
    return attribute && (attribute.valueSpan?.start ?? attribute.span.end) === start;
  };
  return [...html.children, root].find(isHolder) ?? undefined;
}

/** A node and all its descendants in source order. The depth is at most `maxJsonDepth`. */
export function* jsonNodes(node: JsonNode): Generator<JsonNode> {
  yield node;
  const children =
    node.kind === 'array' ? node.items : node.kind === 'object' ? node.members.map(({ value }) => value) : [];
  for (const child of children) if (child) yield* jsonNodes(child);
}
