// Where declarations stand in the JSON of their attribute: what fixes of them edit.
import type { JsonNode } from '../model/jsonText.ts';
import type { DeclaredVariable } from '../model/variables.ts';
import type { RuleContext } from './context.ts';
import type { JsonPlace } from './jsonEdits.ts';

/** The declarations' JSON as a place for edits. */
export function placeOf({ text, composition }: RuleContext): JsonPlace | undefined {
  const { span } = composition.variables;
  return span && { text, span };
}

/** The declarations as JSON; none where they cannot be read. */
export function itemsOf({ composition }: RuleContext): readonly JsonNode[] {
  const { json } = composition.variables;
  // What could be read of a broken text is no ground for findings or edits.
  return json?.problem === undefined && json?.root?.kind === 'array' ? json.root.items : [];
}

/** The object that a usable declaration was read from. */
export function nodeOf(context: RuleContext, { span }: DeclaredVariable): (JsonNode & { kind: 'object' }) | undefined {
  const node = itemsOf(context).find((item) => item.span === span);
  return node?.kind === 'object' ? node : undefined;
}
