// A project's files as rules and language features see them: parsed compositions in memory, and which other files there are.
import { attr } from '../model/attributes.ts';
import { type Composition, parseComposition } from '../model/composition.ts';
import { referenceCandidates } from '../model/graph.ts';

/**
 * Paths are project-relative, POSIX. Everything is answered from memory: whoever fills it has read the files before (the
 * command line) or keeps them up to date (the language server).
 */
export type Project = {
  /** The composition files, sorted. */
  files(): readonly string[];
  /** A file as a composition, parsed once for each of its texts; undefined when there is no such composition file. */
  composition(path: string): Composition | undefined;
  /** Whether there is a file (of any kind) at a path; undefined where that is not known. */
  exists(path: string): boolean | undefined;
  /** Every file of the project, sorted: for the completion of paths. Empty where it is not known. */
  assets(): readonly string[];
  /** The composition file that a host's source means, written in the file `from`; null when there is none. */
  target(from: string, source: string): string | null;
  /** The composition files that embed this one, sorted. */
  embeddersOf(path: string): readonly string[];
};

export type ProjectFiles = Project & {
  /** A file that is there or has changed. A text that is no composition counts as a file of another kind. */
  set(path: string, text: string): void;
  remove(path: string): void;
  /** Every file of the project, compositions included; undefined when that is not known. */
  setAssets(paths: Iterable<string> | undefined): void;
};

/** Whether a file is worth parsing: the one test that files of other kinds cost. */
export function looksLikeComposition(text: string): boolean {
  return text.includes(compositionMark);
}

/** What every attribute that makes a composition begins with. */
const compositionMark = attr.compositionId.slice(0, -'id'.length);

type Entry = { text: string; parsed: Composition | undefined };

/** An empty project. */
export function createProject(): ProjectFiles {
  const entries = new Map<string, Entry>();
  let assets: Set<string> | undefined;
  let allFiles: readonly string[] | undefined;
  let sorted: { files: readonly string[]; embedders: ReadonlyMap<string, readonly string[]> } | undefined;

  const composition = (path: string): Composition | undefined => {
    const entry = entries.get(path);
    if (!entry || !looksLikeComposition(entry.text)) return undefined;
    entry.parsed ??= parseComposition(entry.text);
    return entry.parsed;
  };
  const exists = (path: string): boolean | undefined => entries.has(path) || assets?.has(path);
  const target = (from: string, source: string): string | null =>
    source === '' ? null : (referenceCandidates(from, source).find((path) => entries.has(path)) ?? null);
  const sort = () => {
    const files = [...entries].filter(([, { text }]) => looksLikeComposition(text)).map(([path]) => path);
    files.sort();
    const embedders = new Map<string, Set<string>>();
    for (const from of files) {
      for (const { src } of composition(from)?.hosts ?? []) {
        const to = target(from, src.text);
        if (to !== null) embedders.set(to, (embedders.get(to) ?? new Set()).add(from));
      }
    }
    return { files, embedders: new Map([...embedders].map(([path, from]) => [path, [...from]])) };
  };
  const current = () => {
    sorted ??= sort();
    return sorted;
  };
  return {
    files: () => current().files,
    composition,
    exists,
    assets() {
      allFiles ??= [...new Set([...entries.keys(), ...(assets ?? [])])].sort();
      return allFiles;
    },
    target,
    embeddersOf: (path) => current().embedders.get(path) ?? [],
    set(path, text) {
      if (entries.get(path)?.text === text) return;
      if (!entries.has(path)) allFiles = undefined;
      entries.set(path, { text, parsed: undefined });
      sorted = undefined;
    },
    remove(path) {
      entries.delete(path);
      assets?.delete(path);
      sorted = undefined;
      allFiles = undefined;
    },
    setAssets(paths) {
      assets = paths && new Set(paths);
      allFiles = undefined;
    },
  };
}
