// Which variables go along with elements that leave a file, and what is left of its declarations.

import { removeAttribute } from '../../renderer-core/lint/attributeEdits.ts';
import { homeOfDeclarations } from '../../renderer-core/lint/declare.ts';
import type { TextEdit } from '../../renderer-core/lint/finding.ts';
import { attr } from '../../renderer-core/model/attributes.ts';
import type { Span } from '../../renderer-core/model/spans.ts';
import { type VariableRead, variableReads } from '../../renderer-core/model/variableReads.ts';
import type { VariableDeclaration, VariableValue } from '../../renderer-core/model/variables.ts';
import type { SourceFile } from './file.ts';

/** For the new file, for its host, and the edits that take away what nothing else in the old file reads. */
export type MovedVariables = {
  declarations: VariableDeclaration[];
  values: Record<string, VariableValue>;
  removal: TextEdit[];
};

/**
 * Text, sources and gradings need the value in the new file. Styles do not, as long as the old file still has the variable:
 * custom properties come down to them.
 */
export function movedVariables(file: SourceFile, moved: readonly Span[]): MovedVariables {
  const { composition } = file;
  const { reads, isComplete } = variableReads(composition);
  const isInside = ({ span }: VariableRead) => moved.some(({ start, end }) => start <= span.start && span.end <= end);
  const inside = reads.filter(isInside);
  const outside = new Set(reads.filter((read) => !isInside(read)).map(({ id }) => id));
  const isUsedUp = (id: string) => isComplete && !outside.has(id);
  const needed = new Set(inside.filter(({ by, id }) => by !== 'style' || isUsedUp(id)).map(({ id }) => id));
  const declarations = composition.declarations.filter(({ id }) => needed.has(id));
  const values: [string, VariableValue][] = declarations.flatMap(({ id, default: value }) =>
    value === undefined ? [] : [[id, value]],
  );
  const gone = declarations.filter(({ id }) => isUsedUp(id)).map(({ id }) => id);
  return { declarations, values: Object.fromEntries(values), removal: removal(file, new Set(gone)) };
}

function removal({ composition }: SourceFile, gone: ReadonlySet<string>): TextEdit[] {
  const { variables, text } = composition;
  const array = variables.json?.root;
  const element = homeOfDeclarations(composition);
  const attribute = element?.attributes.get(attr.compositionVariables);
  if (gone.size === 0 || array?.kind !== 'array' || !attribute) return [];
  const removed = new Set(
    variables.declared.filter(({ declaration }) => gone.has(declaration.id)).map(({ span }) => span.start),
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
