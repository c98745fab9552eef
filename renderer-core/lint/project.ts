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

/** `before` is what was parsed of an earlier text, until this one is. */
type Entry = { text: string; parsed: Composition | undefined; before: Composition | undefined };

/** An empty project. */
export function createProject(): ProjectFiles {
  const entries = new Map<string, Entry>();
  let assets: Set<string> | undefined;
  let allFiles: readonly string[] | undefined;
  let sorted: { files: readonly string[]; embedders: ReadonlyMap<string, readonly string[]> } | undefined;

  const composition = (path: string): Composition | undefined => {
    const entry = entries.get(path);
    if (!entry || !looksLikeComposition(entry.text)) return undefined;
    entry.parsed ??= parseComposition(entry.text, entry.before);
    entry.before = undefined;
    return entry.parsed;
  };
  const exists = (path: string): boolean | undefined => entries.has(path) || assets?.has(path);
  const target = (from: string, source: string): string | null =>
    source === '' ? null : (referenceCandidates(from, source).find((path) => entries.has(path)) ?? null);
  /** What each composition embeds, for as long as no file comes or goes. */
  let targets = new WeakMap<Composition, ReadonlySet<string>>();
  const targetsOf = (from: string, composition: Composition): ReadonlySet<string> => {
    const known = targets.get(composition);
    if (known) return known;
    const found = composition.hosts.map(({ src }) => target(from, src.text)).filter((path) => path !== null);
    const set = new Set(found);
    targets.set(composition, set);
    return set;
  };
  const sort = () => {
    const files = [...entries].filter(([, { text }]) => looksLikeComposition(text)).map(([path]) => path);
    files.sort();
    const embedders = new Map<string, Set<string>>();
    for (const from of files) {
      const parsed = composition(from);
      for (const to of parsed ? targetsOf(from, parsed) : []) {
        embedders.set(to, (embedders.get(to) ?? new Set()).add(from));
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
      const known = entries.get(path);
      if (known?.text === text) return;
      if (!known) {
        targets = new WeakMap();
        allFiles = undefined;
      }
      entries.set(path, { text, parsed: undefined, before: known?.parsed ?? known?.before });
      sorted = undefined;
    },
    remove(path) {
      if (entries.delete(path)) targets = new WeakMap();
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
