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

/** `reason`: why the file has not changed, otherwise null. `edited`: its texts; absent if there was nothing to change. */
export type FileEdit = { reason: string | null; edited?: { file: string; before: string; after: string } };

/** Changes a file in one undo step, without saving it. `name` is for messages. */
export async function applyFileEdits(
  file: Uri,
  name: string,
  { version, edits }: { version: number; edits: readonly ProtocolEdit[] },
): Promise<FileEdit> {
  const document = await workspace.openTextDocument(file);
  if (version !== document.version && document.isDirty)
    return { reason: l10n.t('{0} was changed at the same time. Try again.', name) };
  const before = document.getText();
  if (!(await workspace.applyEdit(workspaceEdit(file, edits))))
    return { reason: l10n.t('{0} could not be edited.', name) };
  return { reason: null, edited: { file: file.toString(), before, after: document.getText() } };
}
