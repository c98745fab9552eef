// Refactoring code actions, which do not change the frames: for a selection, and at the cursor on request.
import { type CodeAction, CodeActionKind, type Range } from 'vscode-languageserver-types';
import { applyEdits } from '../../../renderer-core/lint/applyFixes.ts';
import { parseComposition } from '../../../renderer-core/model/composition.ts';
import { lineAndColumn } from '../../../renderer-core/model/text/spans.ts';
import { type SourceFile, spanOf } from '../sourceFile.ts';
import { workspaceEdit } from '../workspaceEdit.ts';
import { extraction } from './extract.ts';
import { newVariable } from './newVariable.ts';

export const extractKind = `${CodeActionKind.RefactorExtract}.composition`;
export const variableKind = `${CodeActionKind.RefactorRewrite}.variable`;

export type RefactoringRequest = {
  wants(kind: string): boolean;
  /** Whether the document has a folder for a new file. */
  createsFiles: boolean;
};

export function refactorings(file: SourceFile, range: Range, request: RefactoringRequest): CodeAction[] {
  return [
    ...(request.wants(variableKind) ? addVariable(file, range) : []),
    ...(request.wants(extractKind) && request.createsFiles ? extract(file, range) : []),
  ];
}

function extract(file: SourceFile, range: Range): CodeAction[] {
  const found = extraction(file, spanOf(file, range));
  if (!found) return [];
  const title = 'Extract to sub-composition';
  if ('disabled' in found) return [{ title, kind: extractKind, disabled: { reason: found.disabled } }];
  return [{ title: `${title} "${found.id}"`, kind: extractKind, edit: found.edit }];
}

function addVariable(file: SourceFile, range: Range): CodeAction[] {
  const found = newVariable(file, spanOf(file, range));
  if (!found) return [];
  const { declaration, edits } = found;
  const shown = JSON.stringify(declaration.default);
  const short = shown.length > 30 ? `${shown.slice(0, 29)}…` : shown;
  return [
    {
      title: `Add variable "${declaration.id}" for ${short}`,
      kind: variableKind,
      edit: workspaceEdit(file, [{ file: file.path, edits }]),
      command: renameCommand(file, declaration.id, applyEdits(file.composition.text, edits)),
    },
  ];
}

/** Opens the rename box at the position of the new ID after the edit. */
function renameCommand({ uri }: SourceFile, id: string, text: string) {
  const declared = parseComposition(text).variables.declared.find(({ declaration }) => declaration.id === id);
  const { line, column } = lineAndColumn(text, (declared?.idSpan.start ?? 0) + 1);
  const argument = { uri, position: { line: line - 1, character: column - 1 } };
  return { title: 'Rename', command: 'framework.renameAt', arguments: [argument] };
}
