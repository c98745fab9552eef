// Records which project files a render has read, and hashes them, so that a later run can tell which of them have changed.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** A text that changes with the content of a file; null if there is no file. */
export type FileVersion = string | null;

/** `version` is undefined if the file has changed between two reads. `path`: in the project, with slashes. */
export type FileRead = { path: string; version: FileVersion | undefined };

export type FileReads = {
  /** Forgets the reads so far, because another render begins. */
  begin(): void;
  add(path: string, version: FileVersion): void;
  /** A page uses a file. If it is in the browser's cache, this is the version that was read before. */
  addCached(path: string): void;
  list(): FileRead[];
};

export function recordReads(): FileReads {
  /** The last version of each file that any render has read. */
  const latest = new Map<string, FileVersion>();
  let read = new Map<string, FileVersion | undefined>();
  const cached = new Set<string>();
  return {
    begin() {
      read = new Map();
      cached.clear();
    },
    add(path, version) {
      read.set(path, read.has(path) && read.get(path) !== version ? undefined : version);
      latest.set(path, version);
    },
    addCached: (path) => void cached.add(path),
    list() {
      const fromCache = [...cached].filter((path) => !read.has(path) && latest.has(path));
      const all = [...read, ...fromCache.map((path) => [path, latest.get(path)] as const)];
      return all.map(([path, version]) => ({ path, version }));
    },
  };
}

/** The size and the time of the last change, because hashing every file that is served would take too long. */
export const fileVersion = ({ size, mtimeMs }: { size: number; mtimeMs: number }): string =>
  `${size.toString(36)}-${mtimeMs.toString(36)}`;

/** SHA-256 in hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
