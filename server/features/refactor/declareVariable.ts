// Adds the declaration of a new variable to a composition.
import type { TextEdit } from 'vscode-languageserver-types';
import { labelFor, optionOf } from '../../../renderer-core/lint/conversions.ts';
import { declareFix } from '../../../renderer-core/lint/declare.ts';
import type { VariableDeclaration } from '../../../renderer-core/model/variables/variables.ts';
import { idProblem, takenCustomProperty, variableIdProblem } from '../names/variableIds.ts';
import type { SourceFile } from '../sourceFile.ts';
import { textEdit } from '../workspaceEdit.ts';

export type DeclaredVariableEdit = { edits: TextEdit[] } | { reason: string };

/** Labels are derived from the ID and from the values of options. */
export function declareVariable(
  file: SourceFile,
  { id, type, default: byDefault, options }: VariableDeclaration,
): DeclaredVariableEdit {
  const reason = newIdProblem(file, id);
  if (reason !== undefined) return { reason };
  const declaration: VariableDeclaration = {
    id,
    type,
    label: labelFor(id),
    ...(byDefault === undefined ? {} : { default: byDefault }),
    ...(options === undefined ? {} : { options: options.map(({ value }) => optionOf(value)) }),
  };
  const fix = declareFix(file.path, file.composition, declaration)?.edits[0]?.edits;
  if (!fix) return { reason: 'The variable declarations of this file are invalid; fix them first.' };
  return { edits: fix.map((edit) => textEdit(file, edit)) };
}

/** Why a variable with this ID cannot be declared. Uses of the ID that nothing declares are no problem. */
export function newIdProblem(file: SourceFile, id: string): string | undefined {
  const rejected = file.composition.variables.rejected.some((one) => one.id === id);
  if (rejected) return `"${id}" is declared with an error. Fix its declaration instead.`;
  return idProblem(id) ?? variableIdProblem(file, id) ?? takenCustomProperty(file, id, false);
}
