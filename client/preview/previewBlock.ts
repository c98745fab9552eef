import { l10n, type Uri, workspace } from 'vscode';
import type { PanelNotice } from './previewMessages.ts';

/** The reason why a composition cannot be previewed, for the panel; undefined when it can. */
export function previewBlock(file: Uri, canStartPrograms: boolean): PanelNotice | undefined {
  if (file.scheme === 'untitled')
    return {
      text: l10n.t('This file has not been saved.'),
      detail: l10n.t('Save it in a folder, so that the preview can load the files it uses.'),
      button: { label: l10n.t('Save'), action: 'save' },
    };
  if (!canStartPrograms)
    return {
      text: l10n.t('The preview is not available in VS Code for the Web.'),
      detail: l10n.t(
        'It needs a local server, which VS Code for the Web cannot start. Open the folder in VS Code on a computer.',
      ),
    };
  if (file.scheme !== 'file')
    return {
      text: l10n.t('This file is not on disk.'),
      detail: l10n.t('The preview reads files from disk, and this file ({0}:) is virtual.', file.scheme),
    };
  if (!workspace.isTrusted)
    return {
      text: l10n.t('This workspace is in Restricted Mode.'),
      detail: l10n.t('The preview runs the scripts of the composition. Trust the workspace to open it.'),
      button: { label: l10n.t('Manage Trust'), action: 'trust' },
    };
  return undefined;
}
