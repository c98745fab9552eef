// Lists the files of a project that are uploaded for a hosted or serverless render.

import { realpathSync, type Stats } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, posix, resolve } from 'node:path';
import { UserError } from '../errors.ts';
import { type IgnoreRules, ignoreFile, readIgnoreRules } from './ignoreRules.ts';
import { pathInside } from './pathInside.ts';
import { maxFiles, tooManyFiles } from './projectFiles.ts';

/** `path` is project-relative with slashes, `real` absolute without links. `size` in bytes, `modified` in unix milliseconds. */
export type UploadFile = { path: string; real: string; size: number; modified: number };

export type UploadFileList = {
  /** Sorted by path in UTF-16 code units, so that the order is the same on every machine. */
  files: UploadFile[];
  /** The reason why a path is excluded, as a predicate; undefined when no rule excludes it. */
  whyIgnored: (path: string) => string | undefined;
  /** Sentences about files that cannot be uploaded. */
  warnings: string[];
};

export type UploadFilesOptions = {
  /** Project-relative paths that are never uploaded, such as an earlier output. */
  except?: readonly string[];
  signal?: AbortSignal;
};

/** `reals` are the real paths of the folder and its parents: a link to one of them would be an endless loop. */
type Folder = { path: string; reals: readonly string[] };

type Walk = {
  root: string;
  rules: IgnoreRules;
  found: UploadFile[];
  folders: Folder[];
  outside: string[];
  warnings: string[];
};

/**
 * Follows links to files and folders inside the project. Throws UserError `asset_invalid` for unreadable files and for
 * links that lead out of the project (which could upload `~/.ssh`), and `usage` for too many files.
 */
export async function listUploadFiles(root: string, options: UploadFilesOptions = {}): Promise<UploadFileList> {
  const rules = readIgnoreRules(await readFile(join(root, ignoreFile), 'utf8').catch(noFile));
  const realRoot = await realpath(root);
  const folders: Folder[] = [{ path: '', reals: [realRoot] }];
  const walk: Walk = { root: realRoot, rules, found: [], folders, outside: [], warnings: [] };
  // The loop appends subfolders to the list.
  for (const folder of folders) {
    options.signal?.throwIfAborted();
    await addFolder(walk, folder);
    if (walk.found.length > maxFiles) throw tooManyFiles(root);
  }
  if (walk.outside.length > 0) throw outsideError(walk.outside);
  const except = new Set(options.except);
  const files = walk.found.filter(({ path }) => !except.has(path)).sort((a, b) => (a.path < b.path ? -1 : 1));
  const whyIgnored = (path: string) =>
    rules(path, false) ?? (except.has(path) ? 'is the output of the render' : undefined);
  return { files, whyIgnored, warnings: walk.warnings };
}

/** The project-relative path of `file`, or nothing if it is outside the project. */
export function insidePath(root: string, file: string): string[] {
  const path = pathInside(realpathSync(root), resolve(file));
  return path ? [path] : [];
}

async function addFolder(walk: Walk, folder: Folder): Promise<void> {
  const entries = await readdir(join(walk.root, folder.path), { withFileTypes: true }).catch((error) => {
    throw unreadable(folder.path || walk.root, error);
  });
  for (const entry of entries) {
    const path = posix.join(folder.path, entry.name);
    if (walk.rules(path, entry.isDirectory()) !== undefined) continue;
    const problem = nameProblem(entry.name);
    if (problem) walk.warnings.push(`${printable(path)} is not uploaded: ${problem}`);
    else if (entry.isSymbolicLink()) await addLink(walk, folder, path);
    else if (entry.isDirectory()) walk.folders.push({ path, reals: [...folder.reals, join(walk.root, path)] });
    else if (entry.isFile()) await addFile(walk, path, join(walk.root, path));
  }
}

async function addLink(walk: Walk, folder: Folder, path: string): Promise<void> {
  const target = await follow(join(walk.root, path));
  if (target === undefined) {
    walk.warnings.push(`${path} is not uploaded: its link target does not exist`);
    return;
  }
  const { real, stats } = target;
  if (stats.isDirectory() && walk.rules(path, true) !== undefined) return;
  if (pathInside(walk.root, real) === undefined) walk.outside.push(path);
  else if (stats.isFile()) await addFile(walk, path, real);
  else if (!stats.isDirectory()) return;
  else if (folder.reals.includes(real)) {
    walk.warnings.push(`${path} is not uploaded: it is a link to one of its parent folders`);
  } else walk.folders.push({ path, reals: [...folder.reals, real] });
}

async function follow(path: string): Promise<{ real: string; stats: Stats } | undefined> {
  try {
    const real = await realpath(path);
    return { real, stats: await stat(real) };
  } catch {
    return undefined;
  }
}

async function addFile({ found }: Walk, path: string, real: string): Promise<void> {
  const stats = await stat(real).catch((error) => {
    throw unreadable(path, error);
  });
  found.push({ path, real, size: stats.size, modified: stats.mtimeMs });
}

/** Names that are not valid in archives or on other systems. */
function nameProblem(name: string): string | undefined {
  if (name.includes('\\')) return 'its name contains a backslash, which separates folders on Windows';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: searches for control characters
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'its name contains a control character';
  if (/^[a-z]:/i.test(name)) return 'its name starts like a drive letter';
  // Node replaces bytes that are not UTF-8 by this character.
  return name.includes('\uFFFD') ? 'its name is not valid UTF-8' : undefined;
}

/** Replaces control characters, which could change the state of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are replaced
const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');

const maxListed = 5;

function outsideError(paths: readonly string[]): UserError {
  const more = paths.length > maxListed ? ` and ${paths.length - maxListed} more` : '';
  const listed = paths.slice(0, maxListed).join(', ') + more;
  const verb = paths.length === 1 ? 'is a link that points' : 'are links that point';
  return new UserError('asset_invalid', `${listed} ${verb} outside the project folder, which cannot be uploaded`, {
    hint: `Copy the files into the project folder, or add the path of the link to ${ignoreFile}.`,
    problems: paths.map((file) => ({ message: `${file} points outside the project folder`, place: { file } })),
  });
}

export function unreadable(path: string, error: unknown): UserError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const reason = {
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    ENOENT: 'it was deleted',
  }[code];
  return new UserError('asset_invalid', `Cannot read ${path}: ${reason ?? (code || String(error))}`, {
    hint: `Make it readable, or add its path to ${ignoreFile}.`,
    place: { file: path },
    cause: error,
  });
}

function noFile(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw unreadable(ignoreFile, error);
}
