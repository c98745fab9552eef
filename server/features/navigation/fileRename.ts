// What else must change when files or folders get another place: the paths that name them, and the paths inside them.
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { referenceCandidates, resolveReference } from '../../renderer-core/model/graph.ts';
import { encodePath, percentDecode } from '../../renderer-core/model/percentText.ts';
import { rangeOf, type SourceFile } from './file.ts';
import { type FilePath, filePaths, scriptPaths } from './filePaths.ts';
import { wrap } from './spelling.ts';

/** A file or folder and where it goes, both project-relative. */
export type Move = { from: string; to: string };

/** The edits to make before the move: they are of the files as they are named now. Never throws. */
export function fileRename(files: readonly SourceFile[], moves: readonly Move[]): WorkspaceEdit {
  const changes: Record<string, TextEdit[]> = {};
  for (const file of files) {
    const edits = editsOf(file, moves);
    if (edits.length > 0) changes[file.uri] = edits;
  }
  return { changes };
}

function editsOf(file: SourceFile, moves: readonly Move[]): TextEdit[] {
  const isMoved = moved(file.path, moves) !== file.path;
  if (!isMoved && !moves.some(({ from }) => mayName(file.composition.text, from))) return [];
  return [...filePaths(file), ...scriptPaths(file)].flatMap((path) => {
    const url = newUrl(file, path, moves);
    return url === path.url ? [] : { range: rangeOf(file, path.span), newText: wrap(url, path.layers) };
  });
}

/** Where a path is after the moves. */
function moved(path: string, moves: readonly Move[]): string {
  for (const { from, to } of moves) {
    if (path === from) return to;
    if (path.startsWith(`${from}/`)) return to + path.slice(from.length);
  }
  return path;
}

/** Whether a text may hold the name of a file or folder: a look at the text saves reading it. */
function mayName(text: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /[^\w.-]/.test(name) || text.includes(name);
}

/** The reference after the moves; the same text where it still means the same. */
export function newUrl(file: SourceFile, path: FilePath, moves: readonly Move[]): string {
  const { url, target, from } = path;
  const newTarget = moved(target, moves);
  const newFrom = moved(from, moves);
  const isKnown = newTarget !== target || file.project.exists(target) !== false;
  if (!isKnown || (newTarget === target && newFrom === from)) return url;
  const suffix = /[?#].*$/s.exec(url)?.[0] ?? '';
  const written = url.slice(0, url.length - suffix.length);
  return respelled(written, placed(written, path, newFrom, newTarget), path.isPlain) + suffix;
}

/** The new path in the style of the old: from the project folder with or without `/`, or from the file with or without `./`. */
function placed(written: string, { from, target }: FilePath, newFrom: string, newTarget: string): string {
  if (written.startsWith('/')) return `/${newTarget}`;
  const fromProject = resolveReference(from, written) !== target && referenceCandidates(from, written).includes(target);
  if (fromProject && resolveReference(newFrom, newTarget) !== newTarget) return newTarget;
  const relative = relativePath(newFrom, newTarget);
  return /^\.[\\/]/.test(written) && !relative.startsWith('.') ? `./${relative}` : relative;
}

function relativePath(from: string, to: string): string {
  const folders = from.split('/').slice(0, -1);
  const names = to.split('/');
  let same = 0;
  while (same < folders.length && same < names.length - 1 && folders[same] === names[same]) same++;
  return [...folders.slice(same).map(() => '..'), ...names.slice(same)].join('/');
}

/** Names that stay are written as they were, others encoded as the old path was; inside styles and lists all are encoded. */
function respelled(written: string, path: string, isPlain: boolean): string {
  const known = new Map(written.split(/[\\/]/).map((name) => [percentDecode(name), name]));
  const isRaw = isPlain && /[^\x21-\x7E]/.test(written);
  return path
    .split('/')
    .map((name) => (isPlain && known.get(name)) || (isRaw ? escapeMeaning(name) : encodeName(name)))
    .join('/');
}

/** What would end the path or be decoded. */
function escapeMeaning(name: string): string {
  return name.replace(/[%?#]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Signs that stand for themselves in any path stay readable. */
function encodeName(name: string): string {
  return encodePath(name).replace(/%(?:40|2B|3D|24|21)/g, (code) => decodeURIComponent(code));
}
