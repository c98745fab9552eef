// The command New Composition: copies an example to a new folder, and opens the file with its preview.
import { commands, l10n, Uri, window, workspace } from 'vscode';
import type { ExampleIndex } from '../../renderer-core/project/exampleIndex.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { exists } from '../storedFiles.ts';
import { readIndex, writeExample } from './examples.ts';
import { chooseFromGallery } from './galleryPanel.ts';

/** Returns whether a composition was created. Never overwrites files: the folder must not exist. */
export async function newComposition({ context, log }: ExtensionServices): Promise<boolean> {
  const { extensionUri } = context;
  const index = await readIndex(extensionUri);
  const example = await pickExample(index, extensionUri);
  const parent = example && (await pickFolder());
  const folder = parent && (await promptForName(parent, example.name));
  if (!example || !folder) return false;
  let file: Uri;
  try {
    file = await writeExample(extensionUri, index, example, folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.error(`The composition could not be created: ${reason}`);
    void window.showErrorMessage(l10n.t('The composition could not be created: {0}', reason));
    return false;
  }
  await window.showTextDocument(file, { preview: false });
  await showPreview(file);
  void offerFolder(folder);
  return true;
}

const pickExample = ({ examples }: ExampleIndex, extensionUri: Uri) =>
  chooseFromGallery(extensionUri, {
    viewType: 'framework.examples',
    items: examples.map((example) => ({ ...example, detail: example.shape })),
    images: Uri.joinPath(extensionUri, 'examples', 'images'),
    strings: {
      title: l10n.t('New Composition'),
      target: l10n.t('Choose an example to start from'),
      search: l10n.t('Search examples'),
      none: l10n.t('No examples found.'),
    },
  });

/** The workspace folder, one of several workspace folders, or any folder when none is open. */
async function pickFolder(): Promise<Uri | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  if (folders.length === 1) return folders[0]?.uri;
  if (folders.length > 1) {
    const placeHolder = l10n.t('Select the parent folder of the new composition');
    return (await window.showWorkspaceFolderPick({ placeHolder }))?.uri;
  }
  const chosen = await window.showOpenDialog({
    title: l10n.t('Select the Parent Folder of the New Composition'),
    openLabel: l10n.t('Create Here'),
    canSelectFolders: true,
    canSelectFiles: false,
  });
  return chosen?.[0];
}

async function promptForName(parent: Uri, name: string): Promise<Uri | undefined> {
  const typed = await window.showInputBox({
    title: l10n.t('New Composition'),
    prompt: l10n.t('Folder name'),
    value: await freeName(parent, name),
    ignoreFocusOut: true,
    validateInput: (text) => folderNameError(parent, text.trim()),
  });
  return typed === undefined ? undefined : Uri.joinPath(parent, typed.trim());
}

async function freeName(parent: Uri, name: string): Promise<string> {
  for (let count = 1; ; count++) {
    const next = count === 1 ? name : `${name}-${count}`;
    if (!(await exists(Uri.joinPath(parent, next)))) return next;
  }
}

async function folderNameError(parent: Uri, name: string): Promise<string | undefined> {
  if (name === '') return l10n.t('Enter a folder name.');
  if (/[\\/:*?"<>|]|^\.|\.$/.test(name))
    return l10n.t('{0} is not a valid folder name on every operating system.', name);
  if (await exists(Uri.joinPath(parent, name))) return l10n.t('{0} already exists. Choose another name.', name);
  return undefined;
}

/** No preview in an untrusted workspace: it starts a program. */
async function showPreview(uri: Uri): Promise<void> {
  const command = 'framework.preview';
  if (!workspace.isTrusted || !(await commands.getCommands(true)).includes(command)) return;
  await commands.executeCommand(command, uri, 'playOnce');
}

async function offerFolder(folder: Uri): Promise<void> {
  if (workspace.getWorkspaceFolder(folder)) return;
  const open = l10n.t('Open Folder');
  const message = l10n.t(
    'The composition was created in {0}. Open this folder to see its problems and renders.',
    folder.fsPath,
  );
  if ((await window.showInformationMessage(message, open)) === open)
    await commands.executeCommand('vscode.openFolder', folder);
}
