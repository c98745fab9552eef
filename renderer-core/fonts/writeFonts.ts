// Writes the files of a font into a project: all of them or none.
import { mkdir, mkdtemp, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UserError } from '../errors.ts';
import { unwritable } from '../project/output/tempFiles.ts';

/** `path` is relative to the project folder, with slashes. */
export type NewFile = { path: string; bytes: Uint8Array };

export type FileStatus = 'new' | 'unchanged' | 'changed';

/** A file and what writing it does. `before` is its content until now. */
export type FileChange = NewFile & { status: FileStatus; before: Uint8Array };

/** Compares files with those in the project. Throws UserError `output_unwritable` for a folder in place of a file. */
export async function compareFiles(root: string, files: readonly NewFile[]): Promise<FileChange[]> {
  return Promise.all(
    files.map(async (file) => {
      const before = await readFile(join(root, file.path)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
        throw unwritable(file.path, error, hint);
      });
      if (before === undefined) return { ...file, status: 'new' as const, before: new Uint8Array() };
      return { ...file, status: before.equals(file.bytes) ? ('unchanged' as const) : ('changed' as const), before };
    }),
  );
}

/** Throws UserError `output_unwritable` if files exist with other contents. */
export function refuseChanged(files: readonly FileChange[]): void {
  const changed = files.filter(({ status }) => status === 'changed');
  const [first, ...others] = changed;
  if (!first) return;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  throw new UserError('output_unwritable', `${first.path}${more} already exists with other contents`, {
    hint: 'Nothing was written. --force replaces the files; then name all weights that the project needs.',
  });
}

type Moved = { target: string; saved?: string };

/** Writes new and changed files. If one cannot be written, the others are as before. Throws UserError `output_unwritable`. */
export async function writeFiles(root: string, files: readonly FileChange[], signal?: AbortSignal): Promise<void> {
  const wanted = files.filter(({ status }) => status !== 'unchanged');
  if (wanted.length === 0) return;
  const moved: Moved[] = [];
  const folders: string[] = [];
  let stage: string | undefined;
  let current = root;
  try {
    stage = await mkdtemp(join(root, '.framework-fonts-'));
    for (const [index, { path, bytes }] of wanted.entries()) {
      signal?.throwIfAborted();
      current = path;
      await writeFile(join(stage, `new-${index}`), bytes, { flag: 'wx' });
    }
    for (const [index, { path, status }] of wanted.entries()) {
      current = path;
      const target = join(root, path);
      const created = await mkdir(dirname(target), { recursive: true });
      if (created !== undefined) folders.push(created);
      const saved = status === 'changed' ? join(stage, `old-${index}`) : undefined;
      if (saved !== undefined) await rename(target, saved);
      moved.push({ target, ...(saved === undefined ? {} : { saved }) });
      await rename(join(stage, `new-${index}`), target);
    }
  } catch (error) {
    await undo(moved, folders);
    signal?.throwIfAborted();
    throw unwritable(current, error, hint);
  } finally {
    if (stage !== undefined) await rm(stage, { recursive: true, force: true });
  }
}

async function undo(moved: readonly Moved[], folders: readonly string[]): Promise<void> {
  for (const { target, saved } of [...moved].reverse()) {
    if (saved === undefined) await rm(target, { force: true });
    else await rename(saved, target);
  }
  // A folder stays if it contains other files by now.
  for (const folder of folders) await rmdir(folder).catch(() => undefined);
}

const hint = 'Nothing was written. Check that the project folder is writable.';
