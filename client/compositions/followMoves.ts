import { Disposable, WorkspaceEdit, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { movedSets } from '../form/setFiles.ts';
import type { VariableForms } from '../form/variableForms.ts';
import { resultOrLog } from '../language/serverResult.ts';
import type { Previews } from '../preview/previews.ts';
import { type MovedUri, movedComposition, movedIn } from './moves.ts';

/** When files or folders are renamed or moved in the editor, values, sets, renders, dialogs and previews follow. */
export function followMoves(
  { server, log, values, history, active }: ExtensionServices,
  forms: VariableForms,
  previews: Previews,
): Disposable {
  const moveSets = async (moved: MovedUri): Promise<WorkspaceEdit> => {
    const all = (await resultOrLog(server.request('framework/compositions', null), log)) ?? [];
    const edit = new WorkspaceEdit();
    for (const composition of all) await addMovedSets(composition, moved, edit);
    return edit;
  };
  return Disposable.from(
    // A part of the rename, so that one undo moves everything back.
    workspace.onWillRenameFiles((event) => event.waitUntil(moveSets(movedIn(event.files)))),
    workspace.onDidRenameFiles(({ files }) => {
      const moved = movedIn(files);
      for (const one of [values, history, forms, active, previews]) one.move(moved);
    }),
  );
}

async function addMovedSets(composition: CompositionInfo, moved: MovedUri, edit: WorkspaceEdit): Promise<void> {
  const after = movedComposition(composition, moved);
  const folders = after && (await movedSets(composition, after));
  if (folders) edit.renameFile(folders.from, folders.to, { overwrite: false, ignoreIfExists: true });
}
