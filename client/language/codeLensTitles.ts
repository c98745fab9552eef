// Titles of code lenses in the editor's display language. The language server's own titles are English.
import { l10n } from 'vscode';

type LensCommand = { command: string; title: string; arguments?: readonly unknown[] };

/** Builds a lens's title from its command and the counts in its arguments. An unknown command keeps the server's title. */
export function codeLensTitle({ command, title, arguments: [argument] = [] }: LensCommand): string {
  switch (command) {
    case 'framework.render':
      return l10n.t('Render');
    case 'framework.renderWithVariables':
      return l10n.t('Render…');
    case 'framework.renderRows':
      return l10n.t('Render Rows…');
    case 'framework.renderRow':
      return l10n.t('Render this row');
    case 'framework.renderBatch': {
      const rows = countIn(argument, 'rows');
      if (rows === undefined) return title;
      return rows === 1 ? l10n.t('Render the row') : l10n.t('Render all {0} rows', rows);
    }
    case 'framework.showReferences': {
      const files = countIn(argument, 'files');
      if (files === undefined) return title;
      return files === 1 ? l10n.t('Used by 1 file') : l10n.t('Used by {0} files', files);
    }
    default:
      return title;
  }
}

function countIn(argument: unknown, name: 'rows' | 'files'): number | undefined {
  const count = (argument as Partial<Record<typeof name, unknown>> | undefined)?.[name];
  return typeof count === 'number' ? count : undefined;
}
