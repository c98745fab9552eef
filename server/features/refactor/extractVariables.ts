// Decides which variables extracted elements need, and how the host passes their values on.
import { referenceTo } from '../../../renderer-core/model/references.ts';
import type { Span } from '../../../renderer-core/model/text/spans.ts';
import { type VariableRead, variableReads } from '../../../renderer-core/model/variables/variableReads.ts';
import type { VariableDeclaration, VariableValue } from '../../../renderer-core/model/variables/variables.ts';
import type { SourceFile } from '../sourceFile.ts';

/** `declarations`: for the new file. `values`: for its host. */
export type MovedVariables = {
  declarations: VariableDeclaration[];
  values: Record<string, VariableValue>;
};

/**
 * Text, sources and gradings need the value in the new file. Styles do not as long as others in the old file read the
 * variable, because custom properties are inherited.
 */
export function movedVariables({ composition }: SourceFile, moved: readonly Span[]): MovedVariables {
  const { reads, isComplete } = variableReads(composition);
  const isInside = ({ span }: VariableRead) => moved.some(({ start, end }) => start <= span.start && span.end <= end);
  const inside = reads.filter(isInside);
  const outside = new Set(reads.filter((read) => !isInside(read)).map(({ id }) => id));
  const isUnused = (id: string) => isComplete && !outside.has(id);
  const needed = new Set(inside.filter(({ by, id }) => by !== 'style' || isUnused(id)).map(({ id }) => id));
  const declarations = composition.declarations.filter(({ id }) => needed.has(id));
  const values = declarations.flatMap(({ id, default: value }): [string, VariableValue][] => {
    const passed = referenceTo(id) ?? value;
    return passed === undefined ? [] : [[id, passed]];
  });
  return { declarations, values: Object.fromEntries(values) };
}
