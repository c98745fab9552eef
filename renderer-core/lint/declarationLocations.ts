// Locates declarations in the JSON of their attribute, for fixes.
import type { JsonNode } from '../model/text/jsonText.ts';
import type { DeclaredVariable } from '../model/variables/variables.ts';
import type { RuleContext } from './context.ts';
import type { JsonLocation } from './jsonEdits.ts';

/** The location of the declarations' JSON. */
export function declarationsLocation({ text, composition }: RuleContext): JsonLocation | undefined {
  const { span } = composition.variables;
  return span && { text, span };
}

/** The declarations as JSON nodes; none if the JSON is invalid. */
export function declarationNodes({ composition }: RuleContext): readonly JsonNode[] {
  const { json } = composition.variables;
  // Partially read JSON is not reliable enough for findings or edits.
  return json?.problem === undefined && json?.root?.kind === 'array' ? json.root.items : [];
}

/** The JSON object of a valid declaration. */
export function declarationNode(
  context: RuleContext,
  { span }: DeclaredVariable,
): (JsonNode & { kind: 'object' }) | undefined {
  const node = declarationNodes(context).find((item) => item.span === span);
  return node?.kind === 'object' ? node : undefined;
}
