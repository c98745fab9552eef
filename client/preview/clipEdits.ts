// Edits that are made in the preview: moves and trims clips in the text, and undoes them.
import { commands, l10n, Uri, workspace } from 'vscode';
import type { FromPage } from '../../preview/messages.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { applyFileEdits } from '../language/workspaceEdit.ts';
import { showDocument } from './showSource.ts';

type Message<Type> = Extract<FromPage, { type: Type }>;

/** Changes the text in one undo step. The file is not saved. Returns the reason if it cannot change, otherwise null. */
export async function editClip(
  { projectUri }: CompositionInfo,
  { file, offset, change }: Message<'editClip'>,
  { server, log }: ExtensionServices,
): Promise<string | null> {
  try {
    const uri = Uri.joinPath(Uri.parse(projectUri), file);
    const found = await server.request('framework/clipEdits', { uri: uri.toString(), offset, change });
    if (!found) return l10n.t('{0} is not a composition.', file);
    if (found.reason !== undefined) return found.reason;
    return found.edits.length === 0 ? null : applyFileEdits(uri, file, found);
  } catch (error) {
    log.error(`The clip was not edited: ${error}`);
    return l10n.t('{0} could not be edited.', file);
  }
}

/** Undoes the last edit of a file. VS Code undoes only in the active editor, so its editor is active for a moment. */
export async function undoEdit(
  { projectUri, uri }: CompositionInfo,
  file: string,
  redo: boolean,
  focusPreview: () => void,
): Promise<void> {
  const target = Uri.joinPath(Uri.parse(projectUri), file);
  await showDocument(await workspace.openTextDocument(target), uri);
  await commands.executeCommand(redo ? 'redo' : 'undo');
  focusPreview();
}
