// The files of a project with the texts that are not saved yet over them.
import type { FilesInside } from '../project/readInside.ts';

export type Overlay = FilesInside & {
  /** Null: as on disk again. */
  set(path: string, text: string | null): void;
  /** Paths whose text is not saved. */
  unsaved(): string[];
};

export function overlayFiles(disk: FilesInside): Overlay {
  const texts = new Map<string, string>();
  return {
    exists: (path) => texts.has(path) || disk.exists(path),
    read: (path) => texts.get(path) ?? disk.read(path),
    leadsOut: (path) => !texts.has(path) && disk.leadsOut(path),
    set(path, text) {
      if (text === null || text === disk.read(path)) texts.delete(path);
      else texts.set(path, text);
    },
    unsaved: () => [...texts.keys()],
  };
}

/** A path below the project folder with slashes and without dots; undefined for any other. */
export function projectPath(given: unknown): string | undefined {
  if (typeof given !== 'string' || given === '' || given.includes('\0')) return undefined;
  const names = given.replaceAll('\\', '/').split('/');
  return names.some((name) => name === '' || name.startsWith('.')) ? undefined : names.join('/');
}
