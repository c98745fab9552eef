// Asks before a batch replaces the videos of an earlier one.
import { l10n, Uri, window, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { templateFolder } from './batchText.ts';

/**
 * Whether the batch continues the earlier one in the same folder, which skips the rows that it has rendered. Undefined when the
 * user cancels. Does not ask when the folder has no manifest of a batch.
 */
export async function confirmBatch({ projectUri }: CompositionInfo, template: string): Promise<boolean | undefined> {
  const folder = templateFolder(template);
  const isAbsolute = /^(?:\/|[a-z]:)/i.test(folder);
  const manifest = Uri.joinPath(
    isAbsolute ? Uri.file(folder) : Uri.joinPath(Uri.parse(projectUri), folder),
    'manifest.json',
  );
  const isThere = await workspace.fs.stat(manifest).then(
    () => true,
    () => false,
  );
  if (!isThere) return false;
  const [rest, all] = [l10n.t('Render New and Changed Rows'), l10n.t('Replace All Videos')];
  const chosen = await window.showWarningMessage(
    l10n.t('{0} already contains the videos of a batch.', folder),
    { modal: true, detail: l10n.t('You can keep the videos of rows that have not changed.') },
    rest,
    all,
  );
  return chosen === undefined ? undefined : chosen === rest;
}
