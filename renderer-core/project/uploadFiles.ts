// The files of a project that are sent to where it is rendered, and why others are not.
import type { Stats } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import { UserError } from '../errors.ts';
import { type IgnoreRules, ignoreFile, readIgnoreRules } from './ignoreRules.ts';
import { mostFiles } from './projectFiles.ts';

/** `path` is project-relative with slashes, `real` absolute with all links followed; bytes, and milliseconds of the last change. */
export type SentFile = { path: string; real: string; size: number; modified: number };

export type SentFiles = {
  /** Sorted by path, in the order of UTF-16 code units: the same on every machine. */
  files: SentFile[];
  /** Why a path is not among them although it is there; undefined when the rules would send it. */
  whyIgnored: (path: string) => string | undefined;
  /** Whole sentences about what could not be taken along and was not meant to stay. */
  warnings: string[];
};

export type SentFilesOptions = {
  /** Files that stay here whatever the rules say, project-relative: an earlier output. */
  except?: readonly string[];
  signal?: AbortSignal;
};

/** `reals` are the folders around it, links followed: a link to one of them would never end. */
type Folder = { path: string; reals: readonly string[] };

type Walk = {
  root: string;
  rules: IgnoreRules;
  found: SentFile[];
  folders: Folder[];
  outside: string[];
  warnings: string[];
};

/**
 * Links are followed inside the project, to files and to folders. Throws UserError `asset_invalid` for one that leads out of
 * it (nobody means to send `~/.ssh`) and for what cannot be read, `usage` for more files than a project has.
 */
export async function listSentFiles(root: string, options: SentFilesOptions = {}): Promise<SentFiles> {
  const rules = readIgnoreRules(await readFile(join(root, ignoreFile), 'utf8').catch(noFile));
  const realRoot = await realpath(root);
  const folders: Folder[] = [{ path: '', reals: [realRoot] }];
  const walk: Walk = { root: realRoot, rules, found: [], folders, outside: [], warnings: [] };
  // The list grows while it is walked.
  for (const folder of folders) {
    options.signal?.throwIfAborted();
    await addFolder(walk, folder);
    if (walk.found.length > mostFiles) {
      throw new UserError('usage', `${root} holds more than ${mostFiles} files`, { hint: 'Name the project folder.' });
    }
  }
  if (walk.outside.length > 0) throw outsideError(walk.outside);
  const except = new Set(options.except);
  const files = walk.found.filter(({ path }) => !except.has(path)).sort((a, b) => (a.path < b.path ? -1 : 1));
  const whyIgnored = (path: string) => rules(path, false) ?? (except.has(path) ? 'is the output' : undefined);
  return { files, whyIgnored, warnings: walk.warnings };
}

async function addFolder(walk: Walk, folder: Folder): Promise<void> {
  const entries = await readdir(join(walk.root, folder.path), { withFileTypes: true }).catch((error) => {
    throw unreadable(folder.path || walk.root, error);
  });
  for (const entry of entries) {
    const path = posix.join(folder.path, entry.name);
    if (walk.rules(path, entry.isDirectory()) !== undefined) continue;
    const problem = nameProblem(entry.name);
    if (problem) walk.warnings.push(`${printable(path)} is left out: ${problem}`);
    else if (entry.isSymbolicLink()) await addLink(walk, folder, path);
    else if (entry.isDirectory()) walk.folders.push({ path, reals: [...folder.reals, join(walk.root, path)] });
    else if (entry.isFile()) await addFile(walk, path, join(walk.root, path));
  }
}

async function addLink(walk: Walk, folder: Folder, path: string): Promise<void> {
  const target = await follow(join(walk.root, path));
  if (target === undefined) {
    walk.warnings.push(`${path} is left out: it is a link that leads to nothing`);
    return;
  }
  const { real, stats } = target;
  if (stats.isDirectory() && walk.rules(path, true) !== undefined) return;
  if (real !== walk.root && !real.startsWith(join(walk.root, sep))) walk.outside.push(path);
  else if (stats.isFile()) await addFile(walk, path, real);
  else if (!stats.isDirectory()) return;
  else if (folder.reals.includes(real)) {
    walk.warnings.push(`${path} is left out: it is a link to a folder around it`);
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

/** Names that no archive and no other machine can carry. */
function nameProblem(name: string): string | undefined {
  if (name.includes('\\')) return 'its name has a backslash, which parts folders elsewhere';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'its name has a control character';
  if (/^[a-z]:/i.test(name)) return 'its name begins like a drive';
  // What the system's bytes are read as where they are no UTF-8.
  return name.includes('\uFFFD') ? 'its name is not UTF-8' : undefined;
}

/** A name must not steer the terminal that it is shown on. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');

const mostNamed = 5;

function outsideError(paths: readonly string[]): UserError {
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : '';
  const named = paths.slice(0, mostNamed).join(', ') + more;
  const what = paths.length === 1 ? 'is a link that leads' : 'are links that lead';
  return new UserError('asset_invalid', `${named} ${what} out of the project folder; nothing outside it is sent`, {
    hint: `Copy the files into the project folder, or leave the link out: write its path into ${ignoreFile}.`,
    problems: paths.map((file) => ({ message: `${file} leads out of the project folder`, place: { file } })),
  });
}

export function unreadable(path: string, error: unknown): UserError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const reason = { EACCES: 'permission denied', EPERM: 'permission denied', ENOENT: 'it is gone' }[code];
  return new UserError('asset_invalid', `Cannot read ${path}: ${reason ?? (code || String(error))}`, {
    hint: `Make it readable, or leave it out: write its path into ${ignoreFile}.`,
    place: { file: path },
    cause: error,
  });
}

function noFile(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw unreadable(ignoreFile, error);
}
