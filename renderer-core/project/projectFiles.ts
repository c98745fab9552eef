// Lists the files of a project folder, reads their texts, and replaces them.

import type { Dirent } from 'node:fs';
import { chmod, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { UserError } from '../errors.ts';
import { type DecodedText, decodeText, encodeText } from '../model/text/textEncoding.ts';
import { undecodable } from './decodeFile.ts';
import { isIgnoredName } from './ignoreRules.ts';
import { unwritable } from './output/tempFiles.ts';
import { pathInside } from './pathInside.ts';
import { statIfExists } from './statIfExists.ts';

/** A folder with more files is probably a whole disk and not a project. */
export const maxFiles = 200_000;

export function tooManyFiles(root: string): UserError {
  return new UserError('usage', `${root} has more than ${maxFiles} files, the limit of a project`, {
    hint: 'Specify the project folder.',
  });
}

/**
 * All files of a project, project-relative with slashes, sorted, without ignored names. Follows links to files but not to
 * folders, so that no folder is read twice. A folder that cannot be read counts as empty. Throws when aborted, and
 * UserError `usage` for too many files.
 */
export async function listProjectFiles(root: string, signal?: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  const folders = [''];
  // The loop appends subfolders to the list.
  for (const folder of folders) {
    signal?.throwIfAborted();
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = posix.join(folder, entry.name);
      if (isIgnoredName(entry.name, entry.isDirectory())) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (await isFile(root, path, entry)) found.push(path);
    }
    if (found.length > maxFiles) throw tooManyFiles(root);
  }
  return found.sort();
}

async function isFile(root: string, path: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  const stats = await statIfExists(join(root, path));
  return stats?.isFile() ?? false;
}

/**
 * Whether the file exists in exactly this letter case, also on systems that ignore it, and may be served to pages: no part of its
 * path starts with a dot.
 */
export async function isProjectFile(root: string, path: string): Promise<boolean> {
  if (/(?:^|\/)\./.test(path)) return false;
  const stats = await statIfExists(join(root, path));
  if (!stats?.isFile()) return false;
  const real = pathInside(await realpath(root), await realpath(join(root, path)));
  return real === path || real?.toLowerCase() !== path.toLowerCase();
}

export const isHtmlPath = (path: string): boolean => /\.html?$/i.test(path);

/** Larger files are not read: they are not compositions. */
const maxTextBytes = 32 * 1024 * 1024;

/** The text with its encoding; undefined when the file does not exist or is too large. */
export async function decodeProjectFile(root: string, path: string): Promise<DecodedText | undefined> {
  try {
    const bytes = await readFile(join(root, path));
    return bytes.length > maxTextBytes ? undefined : decodeText(bytes, path);
  } catch {
    return undefined;
  }
}

/** The text including a byte order mark; undefined when the file does not exist, is too large or cannot be decoded. */
export async function readProjectText(root: string, path: string): Promise<string | undefined> {
  const decoded = await decodeProjectFile(root, path);
  return decoded?.invalidAt === null ? decoded.text : undefined;
}

/** Reads many files, some at a time. `onRead` receives the number of files read so far. */
export async function readProjectTexts(
  root: string,
  paths: readonly string[],
  signal?: AbortSignal,
  onRead?: (done: number) => void,
): Promise<Map<string, string>> {
  const files = await decodeProjectFiles(root, paths, signal, onRead);
  return new Map([...files].flatMap(([path, { text, invalidAt }]) => (invalidAt === null ? [[path, text]] : [])));
}

/** Like `readProjectTexts`, with the encodings, and with files that cannot be decoded. */
export async function decodeProjectFiles(
  root: string,
  paths: readonly string[],
  signal?: AbortSignal,
  onRead?: (done: number) => void,
): Promise<Map<string, DecodedText>> {
  const texts = new Map<string, DecodedText>();
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      signal?.throwIfAborted();
      const decoded = await decodeProjectFile(root, path);
      if (decoded !== undefined) texts.set(path, decoded);
      onRead?.(++done);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return texts;
}

/**
 * Replaces the text of a file atomically, in the encoding of the file. The file must exist. Preserves its mode, and follows links.
 * Throws UserError `output_unwritable`, also if the encoding lacks a character of the text.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  let temporary: string | undefined;
  try {
    const target = await realpath(path);
    const { mode } = await stat(target);
    const before = decodeText(await readFile(target), target);
    if (before.invalidAt !== null) throw undecodable(path, before, before.invalidAt);
    const { encoding } = before;
    const bytes = encodeText(text, encoding);
    if (!bytes) throw lacking(path, encoding);
    temporary = `${target}.${process.pid}.tmp`;
    await writeFile(temporary, bytes, { flag: 'wx' });
    await chmod(temporary, mode);
    await rename(temporary, target);
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { force: true });
    if (error instanceof UserError) throw error;
    throw unwritable(path, error, 'Check that the file and its folder are writable.');
  }
}

const lacking = (path: string, encoding: string): UserError =>
  new UserError(
    'output_unwritable',
    `Cannot write ${path}: its encoding, ${encoding}, lacks a character of the new text`,
    {
      hint: 'Save the file as UTF-8, and declare it with <meta charset="utf-8">.',
    },
  );
