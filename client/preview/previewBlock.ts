// Why a composition cannot be played here, in words for the panel.
import { l10n, type Uri, workspace } from 'vscode';
import type { PanelNotice } from './previewMessages.ts';

/** Undefined where it can. */
export function previewBlock(file: Uri, canStartPrograms: boolean): PanelNotice | undefined {
  if (file.scheme === 'untitled')
    return {
      text: l10n.t('This file is not saved yet.'),
      detail: l10n.t('The preview shows a composition with the files beside it.'),
      button: { label: l10n.t('Save'), action: 'save' },
    };
  if (!canStartPrograms)
    return {
      text: l10n.t('The preview needs VS Code on a computer.'),
      detail: l10n.t('It starts a program that serves the composition, which an editor in a browser tab cannot do.'),
    };
  if (file.scheme !== 'file')
    return {
      text: l10n.t('This file is not on a disk.'),
      detail: l10n.t('The preview reads files from a disk, and this one ({0}:) is not on one.', file.scheme),
    };
  if (!workspace.isTrusted)
    return {
      text: l10n.t('This workspace is in Restricted Mode.'),
      detail: l10n.t('The preview runs the scripts of the composition. Trust the workspace to see it.'),
      button: { label: l10n.t('Manage Trust'), action: 'trust' },
    };
  return undefined;
}
