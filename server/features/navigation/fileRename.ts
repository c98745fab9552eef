// Updates paths when files or folders move: the paths to them, and the relative paths inside them.
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { referenceBase, referenceCandidates, resolveReference } from '../../../renderer-core/model/graph.ts';
import { encodePath, percentDecode } from '../../../renderer-core/model/text/percentText.ts';
import { type FilePath, filePaths, scriptPaths } from '../names/filePaths.ts';
import { wrap } from '../names/spelling.ts';
import { rangeOf, type SourceFile } from '../sourceFile.ts';

/** The old and new path of a file or folder, project-relative. */
export type Move = { from: string; to: string };

/** The edits, for the files at their old paths. Never throws. */
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
  if (!isMoved && !moves.some(({ from }) => mayMention(file.composition.text, from))) return [];
  return [...filePaths(file), ...scriptPaths(file)].flatMap((path) => {
    const url = newUrl(file, path, moves);
    return url === path.url ? [] : { range: rangeOf(file, path.span), newText: wrap(url, path.layers) };
  });
}

/** The path after the moves. */
function moved(path: string, moves: readonly Move[]): string {
  for (const { from, to } of moves) {
    if (path === from) return to;
    if (path.startsWith(`${from}/`)) return to + path.slice(from.length);
  }
  return path;
}

/** Whether a text can contain the name of a file or folder. Checking it first avoids parsing the text. */
function mayMention(text: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /[^\w.-]/.test(name) || text.includes(name);
}

/** The URL of a reference after the moves; unchanged if it still refers to the same file. */
export function newUrl(file: SourceFile, path: FilePath, moves: readonly Move[]): string {
  const { url, target, from } = path;
  const newTarget = moved(target, moves);
  const owner = file.project.composition(path.file) ?? { base: null };
  const newFrom = from === path.file ? moved(from, moves) : referenceBase(moved(path.file, moves), owner);
  const isKnown = newTarget !== target || file.project.exists(target) !== false;
  if (!isKnown || (newTarget === target && newFrom === from)) return url;
  const suffix = /[?#].*$/s.exec(url)?.[0] ?? '';
  const written = url.slice(0, url.length - suffix.length);
  return respelled(written, placed(written, path, newFrom, newTarget), path.isPlain) + suffix;
}

/** Writes the new path in the style of the old one: relative to the project (with or without `/`) or to the file. */
function placed(written: string, { from, target }: FilePath, newFrom: string, newTarget: string): string {
  if (written.startsWith('/')) return `/${newTarget}`;
  const fromProject = resolveReference(from, written) !== target && referenceCandidates(from, written).includes(target);
  if (fromProject && resolveReference(newFrom, newTarget) !== newTarget) return newTarget;
  const relative = relativePath(newFrom, newTarget);
  return /^\.[\\/]/.test(written) && !relative.startsWith('.') ? `./${relative}` : relative;
}

/** The path of a project file relative to another one. */
export function relativePath(from: string, to: string): string {
  const folders = from.split('/').slice(0, -1);
  const names = to.split('/');
  let same = 0;
  while (same < folders.length && same < names.length - 1 && folders[same] === names[same]) same++;
  return [...folders.slice(same).map(() => '..'), ...names.slice(same)].join('/');
}

/** Keeps the spelling of unchanged names and encodes the others like the old path; in styles and lists all are encoded. */
function respelled(written: string, path: string, isPlain: boolean): string {
  const known = new Map(written.split(/[\\/]/).map((name) => [percentDecode(name), name]));
  const isRaw = isPlain && /[^\x21-\x7E]/.test(written);
  return path
    .split('/')
    .map((name) => (isPlain && known.get(name)) || (isRaw ? escapeMeaning(name) : encodeName(name)))
    .join('/');
}

/** Escapes only characters that would end the path or be decoded. */
function escapeMeaning(name: string): string {
  return name.replace(/[%?#]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Keeps characters readable that have no meaning in a path. */
function encodeName(name: string): string {
  return encodePath(name).replace(/%(?:40|2B|3D|24|21)/g, (code) => decodeURIComponent(code));
}
