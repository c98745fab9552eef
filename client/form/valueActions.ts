// The actions on draft values: write them as defaults, copy a render command, render.
import { commands, env, l10n, Uri, ViewColumn, window, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import { compositionName } from '../compositions/compositionName.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { applyFileEdits } from '../language/workspaceEdit.ts';
import { shownValues } from '../render/shownValues.ts';
import { renderShellCommand, shellOf } from './renderShellCommand.ts';

/** Edits the declarations of the composition in one undo step. The file is not saved. */
export async function writeDefaults(
  composition: CompositionInfo,
  { server, values }: ExtensionServices,
): Promise<void> {
  const { uri } = composition;
  const name = compositionName(composition);
  const file = Uri.parse(uri);
  const drafts = shownValues(composition, values);
  if (Object.keys(drafts).length === 0)
    return void window.showInformationMessage(l10n.t('All values of {0} already equal the defaults.', name));
  const document = await workspace.openTextDocument(file);
  const found = await server.request('framework/defaultEdits', { uri, values: { ...drafts } });
  if (!found || found.edits.length === 0)
    return void window.showWarningMessage(l10n.t('No value matches a variable that {0} declares.', name));
  const { reason } = await applyFileEdits(file, name, found);
  if (reason !== null) return void window.showWarningMessage(reason);
  const { written, left } = found;
  values.set(file, Object.fromEntries(Object.entries(drafts).filter(([id]) => !written.includes(id))));
  const visible = window.visibleTextEditors.some((editor) => editor.document === document);
  if (!visible) await window.showTextDocument(document, { viewColumn: ViewColumn.One, preserveFocus: true });
  const message = l10n.t('Wrote {0} to {1}.', written.join(', '), name);
  const rest =
    left.length === 0 ? '' : ` ${l10n.t('Not written, because undeclared or of another type: {0}.', left.join(', '))}`;
  window.setStatusBarMessage(`$(check) ${message}${rest}`, 6000);
  if (left.length > 0) void window.showWarningMessage(`${message}${rest}`);
}

export async function copyCommand(
  composition: CompositionInfo,
  { values, videoSize }: ExtensionServices,
): Promise<void> {
  const { path, projectUri } = composition;
  const shell = shellOf(env.shell);
  const drafts = shownValues(composition, values);
  await env.clipboard.writeText(
    renderShellCommand(
      { folder: Uri.parse(projectUri).fsPath, composition: path, values: drafts, size: videoSize.current() },
      shell,
    ),
  );
  const message =
    shell === 'posix'
      ? l10n.t('Copied the command to the clipboard.')
      : l10n.t('Copied the command for PowerShell to the clipboard.');
  const terminal = l10n.t('Open Terminal');
  if ((await window.showInformationMessage(message, terminal)) === terminal)
    await commands.executeCommand('workbench.action.terminal.focus');
}

export async function renderDraft({ uri }: CompositionInfo): Promise<void> {
  await commands.executeCommand('framework.render', { uri });
}
