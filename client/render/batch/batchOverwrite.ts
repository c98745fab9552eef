// Asks before a batch replaces the videos of an earlier one.
import { l10n, Uri, window } from 'vscode';
import type { CompositionInfo } from '../../../server/protocol.ts';
import { exists } from '../../storedFiles.ts';
import { templateFolder } from './batchText.ts';

/**
 * Whether the batch continues the earlier one in the same folder, which skips the rows that it has rendered. Undefined when the
 * user cancels. Does not ask when the folder has no manifest of a batch, or when none of `outputs` exists.
 */
export async function confirmBatch(
  { projectUri }: CompositionInfo,
  template: string,
  outputs?: readonly string[],
): Promise<boolean | undefined> {
  const folder = templateFolder(template);
  const resolved = (path: string) =>
    /^(?:\/|[a-z]:)/i.test(path) ? Uri.file(path) : Uri.joinPath(Uri.parse(projectUri), path);
  if (!(await exists(Uri.joinPath(resolved(folder), 'manifest.json')))) return false;
  if (outputs && !(await Promise.all(outputs.map((path) => exists(resolved(path))))).includes(true)) return false;
  const [rest, all] = [l10n.t('Render New and Changed Rows'), l10n.t('Replace All Videos')];
  const chosen = await window.showWarningMessage(
    l10n.t('{0} already contains the videos of a batch.', folder),
    { modal: true, detail: l10n.t('You can keep the videos of rows that have not changed.') },
    rest,
    all,
  );
  return chosen === undefined ? undefined : chosen === rest;
}
