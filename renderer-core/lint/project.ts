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

/** The compositions, sorted, and the files that embed each of them, sorted. */
type Embeddings = { files: readonly string[]; embedders: ReadonlyMap<string, readonly string[]> };

type State = {
  entries: Map<string, Entry>;
  /** The paths of all files; undefined if unknown. */
  assets: Set<string> | undefined;
  /** Computed from `entries` and `assets` when needed; undefined after a change. */
  allFiles: readonly string[] | undefined;
  embeddings: Embeddings | undefined;
  /** The files that each composition embeds. Valid until a file is added or removed. */
  targets: WeakMap<Composition, ReadonlySet<string>>;
};

export function createProject(): ProjectFiles {
  const state: State = {
    entries: new Map(),
    assets: undefined,
    allFiles: undefined,
    embeddings: undefined,
    targets: new WeakMap(),
  };
  return {
    files: () => embeddingsOf(state).files,
    composition: (path) => compositionAt(state.entries, path),
    exists: (path) => state.entries.has(path) || state.assets?.has(path),
    assets: () => allFilesOf(state),
    target: (from, source) => targetOf(state.entries, from, source),
    embeddersOf: (path) => embeddingsOf(state).embedders.get(path) ?? [],
    set: (path, text) => setText(state, path, text),
    remove: (path) => removeFile(state, path),
    setAssets(paths) {
      state.assets = paths && new Set(paths);
      state.allFiles = undefined;
    },
  };
}

function setText(state: State, path: string, text: string): void {
  const known = state.entries.get(path);
  if (known?.text === text) return;
  if (!known) {
    state.targets = new WeakMap();
    state.allFiles = undefined;
  }
  state.entries.set(path, { text, parsed: undefined, before: known?.parsed ?? known?.before });
  state.embeddings = undefined;
}

function removeFile(state: State, path: string): void {
  if (state.entries.delete(path)) state.targets = new WeakMap();
  state.assets?.delete(path);
  state.embeddings = undefined;
  state.allFiles = undefined;
}

function compositionAt(entries: ReadonlyMap<string, Entry>, path: string): Composition | undefined {
  const entry = entries.get(path);
  if (!entry || !looksLikeComposition(entry.text)) return undefined;
  entry.parsed ??= parseComposition(entry.text, entry.before);
  entry.before = undefined;
  return entry.parsed;
}

function targetOf(entries: ReadonlyMap<string, Entry>, from: string, source: string): string | null {
  if (source === '') return null;
  return referenceCandidates(from, source).find((path) => entries.has(path)) ?? null;
}

function allFilesOf(state: State): readonly string[] {
  state.allFiles ??= [...new Set([...state.entries.keys(), ...(state.assets ?? [])])].sort();
  return state.allFiles;
}

function embeddingsOf(state: State): Embeddings {
  state.embeddings ??= findEmbeddings(state);
  return state.embeddings;
}

function findEmbeddings(state: State): Embeddings {
  const files = [...state.entries].filter(([, { text }]) => looksLikeComposition(text)).map(([path]) => path);
  files.sort();
  const embedders = new Map<string, string[]>();
  for (const from of files) {
    for (const to of targetsOf(state, from)) {
      const known = embedders.get(to);
      if (known) known.push(from);
      else embedders.set(to, [from]);
    }
  }
  return { files, embedders };
}

/** The files that the composition at `from` embeds. */
function targetsOf({ entries, targets }: State, from: string): ReadonlySet<string> {
  const composition = compositionAt(entries, from);
  if (!composition) return new Set();
  const known = targets.get(composition);
  if (known) return known;
  const found = composition.hosts.map(({ src }) => targetOf(entries, from, src.text)).filter((path) => path !== null);
  const set = new Set(found);
  targets.set(composition, set);
  return set;
}
