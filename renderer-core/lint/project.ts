// The in-memory project that rules and language features use: parsed compositions and the list of other files.
import { attr } from '../model/attributes.ts';
import { type Composition, parseComposition } from '../model/composition.ts';
import { referenceCandidates } from '../model/graph.ts';

/**
 * Paths are project-relative POSIX paths. Nothing here reads files: the command line fills the project once, the language
 * server keeps it up to date.
 */
export type Project = {
  /** The composition files, sorted. */
  files(): readonly string[];
  /** A file as a composition, parsed once per text; undefined if there is no such composition file. */
  composition(path: string): Composition | undefined;
  /** Whether a file of any kind exists at a path; undefined if unknown. */
  exists(path: string): boolean | undefined;
  /** All files of the project, sorted, for path completion. Empty if unknown. */
  assets(): readonly string[];
  /** The composition file that a host in the file `from` embeds; null if there is none. */
  target(from: string, source: string): string | null;
  /** The composition files that embed this one, sorted. */
  embeddersOf(path: string): readonly string[];
};

export type ProjectFiles = Project & {
  /** Adds or updates a file. A text that is not a composition is listed as another kind of file. */
  set(path: string, text: string): void;
  remove(path: string): void;
  /** Sets the paths of all files of the project, including compositions; undefined if unknown. */
  setAssets(paths: Iterable<string> | undefined): void;
};

/** A cheap test whether a file is worth parsing. */
export function looksLikeComposition(text: string): boolean {
  return text.includes(compositionMark);
}

/** The common prefix of the attributes that make a composition. */
const compositionMark = attr.compositionId.slice(0, -'id'.length);

/** `before` is the result for an earlier text, kept until the current text is parsed. */
type Entry = { text: string; parsed: Composition | undefined; before: Composition | undefined };

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
  /** The files that each composition embeds. Valid until a file is added or removed. */
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
