// The command "Add Font to Project": `framework fonts add` with a progress notification.
import { l10n, ProgressLocation, Uri, window } from 'vscode';
import type { CliError } from '../cli/cliEvents.ts';
import { type CliResult, runCliJson } from '../cli/runCliJson.ts';
import { askedComposition } from '../compositions/commandArgument.ts';
import { editorError } from '../errorMessages.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { currentBlock } from '../language/languageStatus.ts';
import { showWarning } from '../language/serverResult.ts';
import { type FontRequest, fontArguments, requestIn } from './fontRequest.ts';

/** The code actions of font rules run it with a file and a family. The Command Palette asks for the family. */
export async function addAskedFont(given: unknown, services: ExtensionServices): Promise<void> {
  const { uri, font } = requestIn(given);
  const folder = await projectFolder(uri, services);
  const name = folder === undefined ? undefined : (font ?? (await promptForFont()));
  if (folder !== undefined && name !== undefined) await addFont(name, folder, services);
}

/** The folder on disk; undefined after a message that says why there is none. */
async function projectFolder(uri: FontRequest['uri'], services: ExtensionServices): Promise<string | undefined> {
  const block = currentBlock(services.host.startCli !== undefined);
  if (block) return showWarning(block.reason, block.action);
  const found = await askedComposition(uri, services);
  if (!found) return undefined;
  const folder = Uri.parse(found.projectUri);
  if (Uri.parse(found.uri).scheme === 'file') return folder.fsPath;
  return showWarning(l10n.t('Fonts are copied to the project folder. Save this file on disk first.'));
}

async function promptForFont(): Promise<string | undefined> {
  const name = await window.showInputBox({
    title: l10n.t('Add Font to Project'),
    prompt: l10n.t('The name of a font family, such as DM Sans'),
  });
  return name?.trim() || undefined;
}

async function addFont(font: string, folder: string, services: ExtensionServices): Promise<void> {
  const args = fontArguments(font);
  if (!args) return showWarning(l10n.t('"{0}" is not the name of a font.', font));
  services.log.info(`framework ${args.join(' ')} (in ${folder})`);
  const options = {
    location: ProgressLocation.Notification,
    title: l10n.t('Adding the font "{0}"', font),
    cancellable: true,
  };
  const stop = new AbortController();
  const result = await window.withProgress(options, (_, token): Promise<CliResult<unknown>> => {
    token.onCancellationRequested(() => stop.abort());
    return runCliJson(services, { args, cwd: folder, signal: stop.signal });
  });
  if (!('error' in result))
    void window.showInformationMessage(l10n.t('The font "{0}" was added to the project.', font));
  else if (!stop.signal.aborted) showFailure(result.error, services);
}

function showFailure(error: CliError, { log }: ExtensionServices): void {
  const { message, hint } = editorError(error);
  const text = hint ? `${message} ${hint}` : message;
  log.error(text);
  const showLog = l10n.t('Show Log');
  void window.showErrorMessage(text, showLog).then((answer) => (answer === showLog ? log.show() : undefined));
}
