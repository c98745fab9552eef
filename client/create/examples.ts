// The examples that the extension brings along, read and written by the editor: so also in a browser tab and on other hosts.
import { l10n, Uri, workspace } from 'vscode';
import { type Example, type ExampleIndex, indexFile, sourceOf } from '../../renderer-core/project/exampleIndex.ts';

const folderOf = (extensionUri: Uri): Uri => Uri.joinPath(extensionUri, 'examples');

export async function readIndex(extensionUri: Uri): Promise<ExampleIndex> {
  const bytes = await workspace.fs.readFile(Uri.joinPath(folderOf(extensionUri), indexFile));
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** Writes an example into a folder that is not there yet: whole, or what was written goes away again. Gives what to open. */
export async function writeExample(
  extensionUri: Uri,
  index: ExampleIndex,
  example: Example,
  folder: Uri,
): Promise<Uri> {
  const from = folderOf(extensionUri);
  const read = (file: string) => workspace.fs.readFile(Uri.joinPath(from, sourceOf(index, example, file)));
  // All that could be missing is read before anything is written.
  const contents = await Promise.all(example.files.map(async (file) => [file, await read(file)] as const));
  if (await isThere(folder)) throw new Error(l10n.t('{0} is there already.', folder.path));
  try {
    for (const [file, bytes] of contents) await workspace.fs.writeFile(Uri.joinPath(folder, file), bytes);
  } catch (error) {
    await Promise.resolve(workspace.fs.delete(folder, { recursive: true })).catch(() => undefined);
    throw error;
  }
  return Uri.joinPath(folder, example.open);
}

export async function isThere(uri: Uri): Promise<boolean> {
  try {
    await workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
