// Files that the extension makes again when they are missing: their names, and a limit of their number.
import { type FileStat, FileType, Uri, workspace } from 'vscode';

/** A file name for this content, which is JSON. */
export async function storedName(content: unknown, extension: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(content)));
  const hex = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 32)}.${extension}`;
}

export async function isStored(file: Uri): Promise<boolean> {
  return ((await statOf(file))?.size ?? 0) > 0;
}

export const exists = async (file: Uri): Promise<boolean> => (await statOf(file)) !== undefined;

async function statOf(file: Uri): Promise<FileStat | undefined> {
  return workspace.fs.stat(file).then(
    (stat) => stat,
    () => undefined,
  );
}

/** Deletes old files of a folder; see `surplusFiles`. Never throws: other windows delete files too. */
export async function removeSurplus(folder: Uri, keep: number, used: ReadonlySet<string> = new Set()): Promise<void> {
  const entries = await workspace.fs.readDirectory(folder).then(
    (found) => found,
    () => [],
  );
  const files = await Promise.all(
    entries.map(async ([name, type]) => {
      const stat = (type & FileType.File) === 0 ? undefined : await statOf(Uri.joinPath(folder, name));
      return stat ? [{ name, mtime: stat.mtime }] : [];
    }),
  );
  for (const name of surplusFiles(files.flat(), keep, used))
    await workspace.fs.delete(Uri.joinPath(folder, name)).then(undefined, () => undefined);
}

const dayMs = 86_400_000;

/**
 * The names of the files that can be deleted when a new file was made: at least `keep` files are kept, and files of the last day
 * and those of `used`, which may be shown, while there are fewer than `5 * keep`.
 */
export function surplusFiles(
  files: readonly { name: string; mtime: number }[],
  keep: number,
  used: ReadonlySet<string> = new Set(),
): string[] {
  const sorted = files.toSorted((a, b) => b.mtime - a.mtime);
  const newest = sorted[0]?.mtime ?? 0;
  const isShown = ({ name, mtime }: { name: string; mtime: number }) => used.has(name) || newest - mtime < dayMs;
  return sorted.filter((file, index) => index >= 5 * keep || (index >= keep && !isShown(file))).map(({ name }) => name);
}
