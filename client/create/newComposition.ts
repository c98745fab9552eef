// New Composition: an example, a folder for it, and the file and its preview beside each other.
import { commands, l10n, type QuickPickItem, Uri, window, workspace } from 'vscode';
import type { Example } from '../../renderer-core/project/exampleIndex.ts';
import type { Tools } from '../tools.ts';
import { isThere, readIndex, writeExample } from './examples.ts';

/** Whether there is one now. Never writes over anything: a name that is taken is asked for again. */
export async function newComposition({ context, log }: Tools): Promise<boolean> {
  const { extensionUri } = context;
  const index = await readIndex(extensionUri);
  const example = await pickExample(index.examples);
  const parent = example && (await pickFolder());
  const folder = parent && (await askName(parent, example.name));
  if (!example || !folder) return false;
  let file: Uri;
  try {
    file = await writeExample(extensionUri, index, example, folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.error(`The new composition could not be written: ${reason}`);
    void window.showErrorMessage(l10n.t('The new composition could not be written: {0}', reason));
    return false;
  }
  await window.showTextDocument(file, { preview: false });
  await showPreview(file);
  void offerFolder(folder);
  return true;
}

async function pickExample(examples: readonly Example[]): Promise<Example | undefined> {
  const items = examples.map((example): QuickPickItem & { example: Example } => ({
    label: example.title,
    description: example.shape,
    detail: example.description,
    example,
  }));
  const options = {
    title: l10n.t('New composition'),
    placeHolder: l10n.t('Choose what to begin with; everything in it can be changed'),
    matchOnDetail: true,
  };
  return (await window.showQuickPick(items, options))?.example;
}

/** The folder that is open, the one of several that is chosen, or any on the disk. */
async function pickFolder(): Promise<Uri | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  if (folders.length === 1) return folders[0]?.uri;
  if (folders.length > 1) {
    const placeHolder = l10n.t('Folder that the new composition goes into');
    return (await window.showWorkspaceFolderPick({ placeHolder }))?.uri;
  }
  const chosen = await window.showOpenDialog({
    title: l10n.t('Folder that the new composition goes into'),
    openLabel: l10n.t('Put It Here'),
    canSelectFolders: true,
    canSelectFiles: false,
  });
  return chosen?.[0];
}

async function askName(parent: Uri, name: string): Promise<Uri | undefined> {
  const typed = await window.showInputBox({
    title: l10n.t('New composition'),
    prompt: l10n.t('Name of its folder'),
    value: await freeName(parent, name),
    ignoreFocusOut: true,
    validateInput: (text) => wrongName(parent, text.trim()),
  });
  return typed === undefined ? undefined : Uri.joinPath(parent, typed.trim());
}

async function freeName(parent: Uri, name: string): Promise<string> {
  for (let count = 1; ; count++) {
    const next = count === 1 ? name : `${name}-${count}`;
    if (!(await isThere(Uri.joinPath(parent, next)))) return next;
  }
}

async function wrongName(parent: Uri, name: string): Promise<string | undefined> {
  if (name === '') return l10n.t('A folder needs a name.');
  if (/[\\/:*?"<>|]|^\.|\.$/.test(name)) return l10n.t('This cannot be the name of a folder everywhere: {0}', name);
  if (await isThere(Uri.joinPath(parent, name))) return l10n.t('{0} is there already. Choose another name.', name);
  return undefined;
}

/** A preview runs the composition's scripts: ours here, but a workspace that is not trusted stays without programs. */
async function showPreview(uri: Uri): Promise<void> {
  const command = 'framework.preview';
  if (!workspace.isTrusted || !(await commands.getCommands(true)).includes(command)) return;
  await commands.executeCommand(command, uri);
}

async function offerFolder(folder: Uri): Promise<void> {
  if (workspace.getWorkspaceFolder(folder)) return;
  const open = l10n.t('Open Folder');
  const message = l10n.t(
    'The composition is in {0}. Open that folder to see problems and renders of it.',
    folder.fsPath,
  );
  if ((await window.showInformationMessage(message, open)) === open)
    await commands.executeCommand('vscode.openFolder', folder);
}
