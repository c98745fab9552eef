// Edits from the language server as an edit of the workspace, which is one undo step.
import { Range, type Uri, WorkspaceEdit } from 'vscode';
import type { ProtocolEdit } from '../server/protocol.ts';

export function workspaceEdit(file: Uri, edits: readonly ProtocolEdit[]): WorkspaceEdit {
  const edit = new WorkspaceEdit();
  for (const { range, newText } of edits) {
    const { start, end } = range;
    edit.replace(file, new Range(start.line, start.character, end.line, end.character), newText);
  }
  return edit;
}
