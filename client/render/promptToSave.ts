import { l10n, type TextDocument, Uri, window, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';

/**
 * Offers to save unsaved files of the project, because renders and checks read files from disk. Resolves to false when the user
 * cancels or a file could not be saved.
 */
export async function promptToSave(
  { projectUri }: CompositionInfo,
  task: 'render' | 'check' = 'render',
): Promise<boolean> {
  const folder = `${Uri.parse(projectUri).fsPath}/`.replaceAll('\\', '/');
  const unsaved = workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && uri.scheme === 'file' && uri.fsPath.replaceAll('\\', '/').startsWith(folder),
  );
  if (unsaved.length === 0) return true;
  const [save, useSaved] =
    task === 'render'
      ? [l10n.t('Save and Render'), l10n.t('Render Without Saving')]
      : [l10n.t('Save and Check'), l10n.t('Check Without Saving')];
  const reads =
    task === 'render' ? l10n.t('Rendering reads files from disk.') : l10n.t('A check reads files from disk.');
  const chosen = await window.showWarningMessage(
    unsaved.length === 1
      ? l10n.t('{0} has unsaved changes.', nameOf(unsaved[0]))
      : l10n.t('{0} files of the project have unsaved changes.', unsaved.length),
    {
      modal: true,
      detail: unsaved.length > 1 ? `${reads} ${l10n.t('Unsaved: {0}.', unsaved.map(nameOf).join(', '))}` : reads,
    },
    save,
    useSaved,
  );
  if (chosen === useSaved) return true;
  if (chosen !== save) return false;
  const saved = await Promise.all(unsaved.map((document) => document.save()));
  return saved.every(Boolean);
}

function nameOf(document: TextDocument | undefined): string {
  return document?.uri.path.split('/').pop() ?? l10n.t('The file');
}
