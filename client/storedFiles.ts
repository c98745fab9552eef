// Files that the extension makes again when they are missing: their names, and a limit of their number.
import { FileType, Uri, workspace } from 'vscode';

/** A file name for this content, which is JSON. */
export async function storedName(content: unknown, extension: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(content)));
  const hex = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 32)}.${extension}`;
}

export async function isStored(file: Uri): Promise<boolean> {
  return workspace.fs.stat(file).then(
    ({ size }) => size > 0,
    () => false,
  );
}

/** Deletes the oldest files of a folder, so that at most `keep` are left. */
export async function removeSurplus(folder: Uri, keep: number): Promise<void> {
  const names = (await workspace.fs.readDirectory(folder)).flatMap(([name, type]) =>
    (type & FileType.File) === 0 ? [] : [name],
  );
  const files = await Promise.all(
    names.map(async (name) => ({ name, mtime: (await workspace.fs.stat(Uri.joinPath(folder, name))).mtime })),
  );
  for (const name of surplusFiles(files, keep)) await workspace.fs.delete(Uri.joinPath(folder, name));
}

/** The names of all files except the newest ones. */
export function surplusFiles(files: readonly { name: string; mtime: number }[], keep: number): string[] {
  return files
    .toSorted((a, b) => b.mtime - a.mtime)
    .slice(keep)
    .map(({ name }) => name);
}
