// A project's files with unsaved texts on top of the files on disk.
import { posix } from 'node:path';
import { isHtmlPath } from '../renderer-core/project/projectFiles.ts';
import type { FilesInside } from '../renderer-core/project/readInside.ts';

export type Overlay = FilesInside & {
  /** Sets the unsaved text of a file. Null: the file on disk is current again. */
  set(path: string, text: string | null): void;
  /** The paths of files with unsaved text. */
  unsaved(): string[];
};

export function overlayFiles(disk: FilesInside): Overlay {
  const texts = new Map<string, string>();
  // For editors, a byte order mark is not text, and their positions do not count it.
  const read = (path: string, fallback?: string) => disk.read(path, fallback)?.replace(/^\uFEFF/, '');
  return {
    exists: (path) => texts.has(path) || disk.exists(path),
    read: (path, fallback) => texts.get(path) ?? read(path, fallback),
    decode(path, fallback) {
      const text = texts.get(path);
      const decoded = disk.decode(path, fallback);
      return text === undefined ? decoded : { encoding: 'utf-8', isDeclared: true, ...decoded, text, invalidAt: null };
    },
    escapesProject: (path) => !texts.has(path) && disk.escapesProject(path),
    list(folder) {
      const unsaved = [...texts.keys()].filter((path) => posix.dirname(path) === folder);
      return [...new Set([...disk.list(folder), ...unsaved.map((path) => posix.basename(path))])].sort();
    },
    htmlFiles: () => [...new Set([...disk.htmlFiles(), ...[...texts.keys()].filter(isHtmlPath)])].sort(),
    set(path, text) {
      if (text === null || text === read(path)) texts.delete(path);
      else texts.set(path, text);
    },
    unsaved: () => [...texts.keys()],
  };
}

/** Normalizes a path in the project folder to slashes. Returns undefined for other paths and for names that start with a dot. */
export function projectPath(given: unknown): string | undefined {
  if (typeof given !== 'string' || given === '' || given.includes('\0')) return undefined;
  const names = given.replaceAll('\\', '/').split('/');
  return names.some((name) => name === '' || name.startsWith('.')) ? undefined : names.join('/');
}
