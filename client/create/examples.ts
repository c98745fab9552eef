// Reads the bundled examples and writes them with VS Code's file system, so that this works in virtual workspaces too.
import { l10n, Uri, workspace } from 'vscode';
import { type Example, type ExampleIndex, indexFile, sourceOf } from '../../renderer-core/project/exampleIndex.ts';
import { exists } from '../storedFiles.ts';

const folderOf = (extensionUri: Uri): Uri => Uri.joinPath(extensionUri, 'examples');

export async function readIndex(extensionUri: Uri): Promise<ExampleIndex> {
  const bytes = await workspace.fs.readFile(Uri.joinPath(folderOf(extensionUri), indexFile));
  return JSON.parse(new TextDecoder().decode(bytes));
}

/**
 * Writes an example to a folder that must not exist. When a file cannot be written, the folder is deleted again.
 * Returns the file to open.
 */
export async function writeExample(
  extensionUri: Uri,
  index: ExampleIndex,
  example: Example,
  folder: Uri,
): Promise<Uri> {
  const from = folderOf(extensionUri);
  const read = (file: string) => workspace.fs.readFile(Uri.joinPath(from, sourceOf(index, example, file)));
  // Everything is read before the first file is written.
  const contents = await Promise.all(example.files.map(async (file) => [file, await read(file)] as const));
  if (await exists(folder)) throw new Error(l10n.t('{0} already exists.', folder.path));
  try {
    for (const [file, bytes] of contents) await workspace.fs.writeFile(Uri.joinPath(folder, file), bytes);
  } catch (error) {
    // Best effort: the error that is thrown matters more.
    await Promise.resolve(workspace.fs.delete(folder, { recursive: true })).catch(() => undefined);
    throw error;
  }
  return Uri.joinPath(folder, example.open);
}
