// Why nothing can be rendered here, in words for the status and for whoever tries.
import { l10n } from 'vscode';

export type RenderBlock = {
  /** A few words for the status. */
  reason: string;
  message: string;
  /** The button that leads out, and the command behind it. */
  way?: { title: string; command: string };
};

export type Surroundings = {
  canStartPrograms: boolean;
  isTrusted: boolean;
  /** Schemes of the workspace's folders. */
  schemes: readonly string[];
};

/** Undefined where renders can be made. */
export function renderBlock({ canStartPrograms, isTrusted, schemes }: Surroundings): RenderBlock | undefined {
  if (!canStartPrograms) {
    return {
      reason: l10n.t('An editor in a browser tab cannot start programs.'),
      message: l10n.t(
        'Rendering needs a browser and ffmpeg, which an editor in a browser tab cannot start. Open the folder in VS Code on a computer.',
      ),
    };
  }
  if (!isTrusted) {
    return {
      reason: l10n.t('This workspace is in Restricted Mode.'),
      message: l10n.t(
        'A render runs the scripts of the composition, and this workspace is in Restricted Mode. Trust it to render.',
      ),
      way: { title: l10n.t('Manage Trust'), command: 'workbench.trust.manage' },
    };
  }
  if (schemes.length > 0 && !schemes.includes('file')) {
    return {
      reason: l10n.t('This workspace is not on a disk.'),
      message: l10n.t(
        'A render reads files from a disk, and this workspace ({0}:) is not on one. Clone or download it first.',
        schemes[0] ?? '',
      ),
    };
  }
  return undefined;
}
