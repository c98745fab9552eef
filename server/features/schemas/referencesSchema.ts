// The JSON schema of a reference to a variable.
import type { JSONSchema } from 'vscode-json-languageservice';
import { referenceTo } from '../../../renderer-core/model/references.ts';
import type { VariableDeclaration } from '../../../renderer-core/model/variables/variables.ts';
import { variableDetail, variableMarkdown } from '../hover/descriptions.ts';

/** References to all variables. Those that fit come first, before other values; the others come last. */
export function referencesSchema(
  declarations: readonly VariableDeclaration[],
  fits: (declaration: VariableDeclaration) => boolean,
): JSONSchema {
  const sorted = declarations
    .filter(({ id }) => referenceTo(id) !== undefined)
    .sort((a, b) => Number(fits(b)) - Number(fits(a)));
  return {
    type: 'string',
    enum: sorted.map(({ id }) => referenceTo(id)),
    enumDetails: sorted.map(variableDetail),
    enumSortTexts: sorted.map((declaration, at) => `${fits(declaration) ? 0 : 9}${String(at).padStart(4, '0')}`),
    markdownEnumDescriptions: sorted.map(variableMarkdown),
  };
}
