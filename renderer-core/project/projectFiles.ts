// The files of a project folder: which there are, and the texts of those that compositions can be in.
import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { UserError } from '../errors.ts';
import { isIgnoredName } from './ignoreRules.ts';

/** More files than this are no project: the folder named was probably a whole disk. */
export const mostFiles = 200_000;

/**
 * Every file of a folder, project-relative with slashes, sorted. Links are followed to files, not to folders, so that no
 * folder is read twice. A folder that cannot be read counts as empty. Throws when it is aborted.
 */
export async function listProjectFiles(root: string, signal?: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  const folders = [''];
  // The list grows while it is walked.
  for (const folder of folders) {
    signal?.throwIfAborted();
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = posix.join(folder, entry.name);
      if (isIgnoredName(entry.name, entry.isDirectory())) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (await isFile(root, path, entry)) found.push(path);
    }
    if (found.length > mostFiles) {
      throw new UserError('usage', `${root} holds more than ${mostFiles} files`, { hint: 'Name the project folder.' });
    }
  }
  return found.sort();
}

async function isFile(root: string, path: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  const stats = await stat(join(root, path)).catch(() => undefined);
  return stats?.isFile() ?? false;
}

/** Whether there is a file that pages can be shown: nothing in its path begins with a dot. */
export async function isProjectFile(root: string, path: string): Promise<boolean> {
  if (/(?:^|\/)\./.test(path)) return false;
  const stats = await stat(join(root, path)).catch(() => undefined);
  return stats?.isFile() ?? false;
}

export const isHtmlPath = (path: string): boolean => /\.html?$/i.test(path);

/** Files larger than this are no compositions, whatever they are called. */
const largestText = 32 * 1024 * 1024;

/** The text of a file with its byte order mark; undefined when it is gone, too large or not UTF-8. */
export async function readProjectText(root: string, path: string): Promise<string | undefined> {
  try {
    const bytes = await readFile(join(root, path));
    if (bytes.length > largestText) return undefined;
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reads many files, a few at a time. `onRead` is told how many are done. */
export async function readProjectTexts(
  root: string,
  paths: readonly string[],
  signal?: AbortSignal,
  onRead?: (done: number) => void,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      signal?.throwIfAborted();
      const text = await readProjectText(root, path);
      if (text !== undefined) texts.set(path, text);
      onRead?.(++done);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return texts;
}
