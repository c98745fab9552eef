// Edits that are made in the preview: moves and trims clips in the text, and undoes them.
import { commands, l10n, Uri, workspace } from 'vscode';
import type { FromPage } from '../../preview/messages.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { applyFileEdits, type FileEdit } from '../language/workspaceEdit.ts';
import { showDocument } from './showSource.ts';

type Message<Type> = Extract<FromPage, { type: Type }>;

/** Changes the text in one undo step. The file is not saved. */
export async function editClip(
  { projectUri }: CompositionInfo,
  { file, offset, change }: Message<'editClip'>,
  { server, log }: ExtensionServices,
): Promise<FileEdit> {
  try {
    const uri = Uri.joinPath(Uri.parse(projectUri), file);
    const found = await server.request('framework/clipEdits', { uri: uri.toString(), offset, change });
    if (!found) return { reason: l10n.t('{0} is not a composition.', file) };
    if (found.reason !== undefined) return { reason: found.reason };
    return found.edits.length === 0 ? { reason: null } : await applyFileEdits(uri, file, found);
  } catch (error) {
    log.error(`The clip was not edited: ${error}`);
    return { reason: l10n.t('{0} could not be edited.', file) };
  }
}

/**
 * Undoes the last edit of a file. VS Code undoes only in the active editor, so its editor is active for a moment. Returns the
 * texts before and after.
 */
export async function undoEdit(
  { uri }: CompositionInfo,
  file: Uri,
  redo: boolean,
  focusPreview: () => void,
): Promise<{ before: string; after: string }> {
  const document = await workspace.openTextDocument(file);
  const before = document.getText();
  await showDocument(document, uri);
  await commands.executeCommand(redo ? 'redo' : 'undo');
  focusPreview();
  return { before, after: document.getText() };
}
