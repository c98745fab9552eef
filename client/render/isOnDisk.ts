import { l10n, type Uri } from 'vscode';
import { showWarning } from '../language/serverResult.ts';

/** Whether a file is on disk, where renders read it. When it is not, shows the reason. */
export async function isOnDisk({ scheme }: Uri): Promise<boolean> {
  if (scheme === 'untitled')
    await showWarning(l10n.t('Save this file first. Rendering reads files from disk.'), {
      title: l10n.t('Save'),
      command: 'workbench.action.files.save',
    });
  else if (scheme !== 'file')
    await showWarning(l10n.t('Rendering reads files from disk, and this file ({0}:) is virtual.', scheme));
  return scheme === 'file';
}
