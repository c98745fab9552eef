// Edits from the language server as an edit of the workspace, which is one undo step.
import { l10n, Range, type Uri, WorkspaceEdit, workspace } from 'vscode';
import type { ProtocolEdit } from '../../server/protocol.ts';

export function workspaceEdit(file: Uri, edits: readonly ProtocolEdit[]): WorkspaceEdit {
  const edit = new WorkspaceEdit();
  for (const { range, newText } of edits) {
    const { start, end } = range;
    edit.replace(file, new Range(start.line, start.character, end.line, end.character), newText);
  }
  return edit;
}

/**
 * Changes a file in one undo step, without saving it. `name` is for messages. Returns the reason if it is not possible, otherwise
 * null.
 */
export async function applyFileEdits(
  file: Uri,
  name: string,
  { version, edits }: { version: number; edits: readonly ProtocolEdit[] },
): Promise<string | null> {
  const document = await workspace.openTextDocument(file);
  if (version !== document.version && document.isDirty)
    return l10n.t('{0} was changed at the same time. Try again.', name);
  return (await workspace.applyEdit(workspaceEdit(file, edits))) ? null : l10n.t('{0} could not be edited.', name);
}
