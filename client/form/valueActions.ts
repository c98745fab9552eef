// What can be done with the values that are being tried: written as defaults, copied as a command, rendered.
import { commands, env, l10n, Range, Uri, ViewColumn, WorkspaceEdit, window, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { Tools } from '../tools.ts';
import { onlyChanged } from './formModel.ts';
import { shellOf, typedRender } from './typedRender.ts';

/** One edit of the composition's text, which one undo takes back. It is not saved. */
export async function writeDefaults(
  { uri, path, variables }: CompositionInfo,
  { server, values }: Tools,
): Promise<void> {
  const file = Uri.parse(uri);
  const tried = onlyChanged(variables, values.get(file));
  if (Object.keys(tried).length === 0)
    return void window.showInformationMessage(l10n.t('All values of {0} are its defaults already.', path));
  const document = await workspace.openTextDocument(file);
  const found = await server.ask('framework/defaultEdits', { uri, values: { ...tried } });
  if (!found || found.edits.length === 0)
    return void window.showWarningMessage(l10n.t('None of the values fits what {0} declares.', path));
  if (found.version !== document.version && document.isDirty)
    return void window.showWarningMessage(l10n.t('{0} was changed meanwhile: try again.', path));
  const edit = new WorkspaceEdit();
  for (const { range, newText } of found.edits) {
    const { start, end } = range;
    edit.replace(file, new Range(start.line, start.character, end.line, end.character), newText);
  }
  if (!(await workspace.applyEdit(edit)))
    return void window.showErrorMessage(l10n.t('{0} cannot be changed here.', path));
  const { written, left } = found;
  values.set(file, Object.fromEntries(Object.entries(tried).filter(([id]) => !written.includes(id))));
  const visible = window.visibleTextEditors.some((editor) => editor.document === document);
  if (!visible) await window.showTextDocument(document, { viewColumn: ViewColumn.One, preserveFocus: true });
  const told = l10n.t('Wrote {0} into {1}.', written.join(', '), path);
  const rest = left.length === 0 ? '' : ` ${l10n.t('Not declared, or of another type: {0}.', left.join(', '))}`;
  window.setStatusBarMessage(`$(check) ${told}${rest}`, 6000);
  if (left.length > 0) void window.showWarningMessage(`${told}${rest}`);
}

export async function copyCommand(
  { uri, path, projectUri, variables }: CompositionInfo,
  { values }: Tools,
): Promise<void> {
  const shell = shellOf(env.shell);
  const tried = onlyChanged(variables, values.get(Uri.parse(uri)));
  await env.clipboard.writeText(
    typedRender({ folder: Uri.parse(projectUri).fsPath, composition: path, values: tried }, shell),
  );
  const told =
    shell === 'posix' ? l10n.t('Copied the command to the clipboard.') : l10n.t('Copied the command, for PowerShell.');
  const terminal = l10n.t('Open Terminal');
  if ((await window.showInformationMessage(told, terminal)) === terminal)
    await commands.executeCommand('workbench.action.terminal.focus');
}

export async function renderTried({ uri }: CompositionInfo): Promise<void> {
  await commands.executeCommand('framework.renderTried', { uri });
}
