// Asks what happens to rows of a batch with values that do not fit, before anything renders.
import { commands, l10n, type Uri, window } from 'vscode';
import { rowNumber } from '../../../renderer-core/plan/numberRanges.ts';
import type { BatchInfo } from '../../../server/protocol.ts';

/** Values that are listed in the question; a modal dialog cannot be scrolled. */
const maxListed = 10;

/** Undefined if the user cancels, or corrects the rows first. Does not ask if all rows in `indices` are valid. */
export async function confirmInvalidRows(
  uri: Uri,
  { path, misfits }: Pick<BatchInfo, 'path' | 'misfits'>,
  isRendered: (index: number) => boolean = () => true,
): Promise<'defaults' | 'skip' | undefined> {
  const found = misfits.filter(({ row }) => isRendered(row));
  if (found.length === 0) return 'defaults';
  const [defaults, skip, show] = [l10n.t('Render with Defaults'), l10n.t('Leave Out'), l10n.t('Show Rows')];
  const rows = new Set(found.map(({ row }) => row)).size;
  const question =
    rows === 1
      ? l10n.t('1 row of {0} has values that do not fit.', path)
      : l10n.t('{0} rows of {1} have values that do not fit.', rows, path);
  const detail = misfitLines(found).join('\n');
  const chosen = await window.showWarningMessage(question, { modal: true, detail }, defaults, skip, show);
  if (chosen === show) await commands.executeCommand('framework.renderRows', { uri: uri.toString() });
  return chosen === defaults ? 'defaults' : chosen === skip ? 'skip' : undefined;
}

/** `Line 4, row 3: Variable "price" must be a number (got "abc")` */
export function misfitLines(misfits: BatchInfo['misfits']): string[] {
  const more = misfits.length - maxListed;
  return [
    ...misfits
      .slice(0, maxListed)
      .map(({ line, row, message }) => l10n.t('Line {0}, row {1}: {2}', line, rowNumber(row), message)),
    ...(more > 0 ? [l10n.t('and {0} more', more)] : []),
  ];
}
