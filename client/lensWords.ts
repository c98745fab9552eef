// Lenses in the language of the editor: the language server, which knows where they stand, speaks English.
import { l10n } from 'vscode';

/** The title of a lens in the words of the editor; its count is the number in the server's title. */
export function lensTitle({ command, title }: { command: string; title: string }): string {
  const count = Number(/\d+/.exec(title)?.[0] ?? 1);
  switch (command) {
    case 'framework.render':
      return l10n.t('Render');
    case 'framework.renderWithVariables':
      return l10n.t('Render with variables…');
    case 'framework.renderRow':
      return l10n.t('Render this row');
    case 'framework.renderBatch':
      return count === 1 ? l10n.t('Render the row') : l10n.t('Render all {0} rows', count);
    case 'framework.showReferences':
      return count === 1 ? l10n.t('Used by 1 file') : l10n.t('Used by {0} files', count);
    default:
      return title;
  }
}
