// The reasons why a window cannot render, for the status item and for messages.
import { l10n } from 'vscode';

export type RenderBlock = {
  /** For the status item. */
  reason: string;
  message: string;
  /** A button for the message, and its command. */
  action?: { title: string; command: string };
};

export type RenderEnvironment = {
  canStartPrograms: boolean;
  isTrusted: boolean;
  /** URI schemes of the workspace folders. */
  schemes: readonly string[];
};

/** Undefined when rendering is possible. */
export function renderBlock({ canStartPrograms, isTrusted, schemes }: RenderEnvironment): RenderBlock | undefined {
  if (!canStartPrograms) {
    return {
      reason: l10n.t('VS Code for the Web cannot start programs.'),
      message: l10n.t(
        'Rendering needs a browser and ffmpeg, which VS Code for the Web cannot start. Open the folder in VS Code on a computer.',
      ),
    };
  }
  if (!isTrusted) {
    return {
      reason: l10n.t('This workspace is in Restricted Mode.'),
      message: l10n.t(
        'A render runs the scripts of the composition, and this workspace is in Restricted Mode. Trust the workspace to render.',
      ),
      action: { title: l10n.t('Manage Trust'), command: 'workbench.trust.manage' },
    };
  }
  if (schemes.length > 0 && !schemes.includes('file')) {
    return {
      reason: l10n.t('This workspace is not on disk.'),
      message: l10n.t(
        'Rendering reads files from disk, and this workspace ({0}:) is virtual. Clone or download it first.',
        schemes[0] ?? '',
      ),
    };
  }
  return undefined;
}
