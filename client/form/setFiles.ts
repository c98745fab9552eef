// Reads and writes the files of named sets with VS Code's file system, which also covers virtual workspaces.
import { FileType, l10n, Uri, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { Values } from '../compositions/draftValues.ts';
import { exists } from '../storedFiles.ts';
import { readSet, setName, setPath, setsFolder, setText } from './variableSets.ts';

export function setUri({ projectUri, path }: CompositionInfo, name: string): Uri {
  return Uri.joinPath(Uri.parse(projectUri), setPath(path, name));
}

/** Names of the sets, sorted alphabetically. */
export async function listSets({ projectUri, path }: CompositionInfo): Promise<string[]> {
  try {
    const folder = Uri.joinPath(Uri.parse(projectUri), setsFolder(path));
    const entries = await workspace.fs.readDirectory(folder);
    const names = entries.flatMap(([file, type]) => ((type & FileType.File) !== 0 ? (setName(file) ?? []) : []));
    return names.sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  } catch {
    // The folder does not exist until a set is saved.
    return [];
  }
}

/** Larger files are rejected. */
const maxBytes = 4 * 1024 * 1024;

/** Throws the errors of the file system. */
export async function loadSet(composition: CompositionInfo, name: string): Promise<ReturnType<typeof readSet>> {
  const uri = setUri(composition, name);
  const { size } = await workspace.fs.stat(uri);
  if (size > maxBytes) return { problem: l10n.t('The file is too large ({0} bytes).', size) };
  return readSet(new TextDecoder().decode(await workspace.fs.readFile(uri)));
}

export async function storeSet(composition: CompositionInfo, name: string, values: Values): Promise<void> {
  await writeAtomically(setUri(composition, name), new TextEncoder().encode(setText(composition.variables, values)));
}

/** Writes a temporary file and renames it. */
async function writeAtomically(uri: Uri, bytes: Uint8Array): Promise<void> {
  const folder = Uri.joinPath(uri, '..');
  await workspace.fs.createDirectory(folder);
  const temporary = Uri.joinPath(folder, `.${crypto.randomUUID()}.tmp`);
  try {
    await workspace.fs.writeFile(temporary, bytes);
    await workspace.fs.rename(temporary, uri, { overwrite: true });
  } catch (error) {
    // Best effort: the original error matters more.
    await workspace.fs.delete(temporary).then(undefined, () => undefined);
    throw error;
  }
}

/** Deletes a set. Returns a function that restores it. */
export async function removeSet(composition: CompositionInfo, name: string): Promise<() => Promise<void>> {
  const uri = setUri(composition, name);
  const bytes = await workspace.fs.readFile(uri);
  await workspace.fs.delete(uri);
  return () => writeAtomically(uri, bytes);
}

/** The folders of the sets of a composition whose path changes in its project. Undefined if nothing has to move. */
export async function movedSets(
  { projectUri, path }: CompositionInfo,
  after: CompositionInfo,
): Promise<{ from: Uri; to: Uri } | undefined> {
  if (path === after.path || projectUri !== after.projectUri) return undefined;
  const folderOf = (one: string) => Uri.joinPath(Uri.parse(projectUri), setsFolder(one));
  const from = folderOf(path);
  return (await exists(from)) ? { from, to: folderOf(after.path) } : undefined;
}
