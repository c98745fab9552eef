// The files of named sets, over the editor's file system: also in folders that are on no disk of this computer.
import { FileType, Uri, workspace } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { Values } from '../values.ts';
import { readSet, setName, setPath, setsFolder, setText } from './variableSets.ts';

export function setUri({ projectUri, path }: CompositionInfo, name: string): Uri {
  return Uri.joinPath(Uri.parse(projectUri), setPath(path, name));
}

/** Names of the sets, in the order of the alphabet. */
export async function listSets({ projectUri, path }: CompositionInfo): Promise<string[]> {
  try {
    const folder = Uri.joinPath(Uri.parse(projectUri), setsFolder(path));
    const entries = await workspace.fs.readDirectory(folder);
    const names = entries.flatMap(([file, type]) => ((type & FileType.File) !== 0 ? (setName(file) ?? []) : []));
    return names.sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  } catch {
    return [];
  }
}

/** Larger files are no sets of values. */
const mostBytes = 4 * 1024 * 1024;

/** Throws what the file system throws. */
export async function loadSet(composition: CompositionInfo, name: string): Promise<ReturnType<typeof readSet>> {
  const uri = setUri(composition, name);
  const { size } = await workspace.fs.stat(uri);
  if (size > mostBytes) return { fault: `${size} bytes` };
  return readSet(new TextDecoder().decode(await workspace.fs.readFile(uri)));
}

/** Whole or not at all: under another name first. */
export async function storeSet(composition: CompositionInfo, name: string, values: Values): Promise<void> {
  await writeWhole(setUri(composition, name), new TextEncoder().encode(setText(composition.variables, values)));
}

async function writeWhole(uri: Uri, bytes: Uint8Array): Promise<void> {
  const folder = Uri.joinPath(uri, '..');
  await workspace.fs.createDirectory(folder);
  const temporary = Uri.joinPath(folder, `.${crypto.randomUUID()}.tmp`);
  try {
    await workspace.fs.writeFile(temporary, bytes);
    await workspace.fs.rename(temporary, uri, { overwrite: true });
  } catch (error) {
    await workspace.fs.delete(temporary).then(undefined, () => undefined);
    throw error;
  }
}

/** Gives the way back. */
export async function removeSet(composition: CompositionInfo, name: string): Promise<() => Promise<void>> {
  const uri = setUri(composition, name);
  const bytes = await workspace.fs.readFile(uri);
  await workspace.fs.delete(uri);
  return () => writeWhole(uri, bytes);
}
