// Offers to save what a render would not see: it reads files from the disk.
import { l10n, type TextDocument, Uri, window, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';

/** False when the user gave up, or a file could not be saved. */
export async function saveBefore({ projectUri }: CompositionInfo): Promise<boolean> {
  const folder = `${Uri.parse(projectUri).fsPath}/`.replaceAll('\\', '/');
  const unsaved = workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && uri.scheme === 'file' && uri.fsPath.replaceAll('\\', '/').startsWith(folder),
  );
  if (unsaved.length === 0) return true;
  const [save, asItIs] = [l10n.t('Save and Render'), l10n.t('Render What Is Saved')];
  const chosen = await window.showWarningMessage(
    unsaved.length === 1
      ? l10n.t('{0} has changes that are not saved.', nameOf(unsaved[0]))
      : l10n.t('{0} files of the project have changes that are not saved.', unsaved.length),
    {
      modal: true,
      detail:
        unsaved.length > 1
          ? l10n.t('A render reads files from the disk. Not saved: {0}.', unsaved.map(nameOf).join(', '))
          : l10n.t('A render reads files from the disk.'),
    },
    save,
    asItIs,
  );
  if (chosen === asItIs) return true;
  if (chosen !== save) return false;
  const saved = await Promise.all(unsaved.map((document) => document.save()));
  return saved.every(Boolean);
}

function nameOf(document: TextDocument | undefined): string {
  return document?.uri.path.split('/').pop() ?? l10n.t('The file');
}
