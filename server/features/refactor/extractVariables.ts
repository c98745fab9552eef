// Decides which variables move with extracted elements, and which declarations remain.

import { removeAttribute } from '../../../renderer-core/lint/attributeEdits.ts';
import { declarationsElement } from '../../../renderer-core/lint/declare.ts';
import type { TextEdit } from '../../../renderer-core/lint/finding.ts';
import { attr } from '../../../renderer-core/model/attributes.ts';
import type { Span } from '../../../renderer-core/model/spans.ts';
import { type VariableRead, variableReads } from '../../../renderer-core/model/variableReads.ts';
import type { VariableDeclaration, VariableValue } from '../../../renderer-core/model/variables.ts';
import type { SourceFile } from '../sourceFile.ts';

/** `declarations`: for the new file. `values`: for its host. `removal`: edits that remove declarations without other reads. */
export type MovedVariables = {
  declarations: VariableDeclaration[];
  values: Record<string, VariableValue>;
  removal: TextEdit[];
};

/**
 * Text, sources and gradings need the value in the new file. Styles do not as long as the old file keeps the variable, because
 * custom properties are inherited.
 */
export function movedVariables(file: SourceFile, moved: readonly Span[]): MovedVariables {
  const { composition } = file;
  const { reads, isComplete } = variableReads(composition);
  const isInside = ({ span }: VariableRead) => moved.some(({ start, end }) => start <= span.start && span.end <= end);
  const inside = reads.filter(isInside);
  const outside = new Set(reads.filter((read) => !isInside(read)).map(({ id }) => id));
  const isUnused = (id: string) => isComplete && !outside.has(id);
  const needed = new Set(inside.filter(({ by, id }) => by !== 'style' || isUnused(id)).map(({ id }) => id));
  const declarations = composition.declarations.filter(({ id }) => needed.has(id));
  const values: [string, VariableValue][] = declarations.flatMap(({ id, default: value }) =>
    value === undefined ? [] : [[id, value]],
  );
  const unused = declarations.filter(({ id }) => isUnused(id)).map(({ id }) => id);
  return { declarations, values: Object.fromEntries(values), removal: removal(file, new Set(unused)) };
}

function removal({ composition }: SourceFile, unused: ReadonlySet<string>): TextEdit[] {
  const { variables, text } = composition;
  const array = variables.json?.root;
  const element = declarationsElement(composition);
  const attribute = element?.attributes.get(attr.compositionVariables);
  if (unused.size === 0 || array?.kind !== 'array' || !attribute) return [];
  const removed = new Set(
    variables.declared.filter(({ declaration }) => unused.has(declaration.id)).map(({ span }) => span.start),
  );
  const kept = array.items.filter(({ span }) => !removed.has(span.start));
  if (kept.length === 0) return [removeAttribute(text, attribute)];
  const [first, second] = array.items;
  const last = array.items.at(-1);
  if (!first || !last) return [];
  const between = second ? text.slice(first.span.end, second.span.start) : ',';
  const items = kept.map(({ span }) => text.slice(span.start, span.end)).join(between);
  return [{ span: { start: first.span.start, end: last.span.end }, text: items }];
}
