// The in-memory project that rules and language features use: parsed compositions and the list of other files.
import { type Captions, readCues } from '../model/captions/readCues.ts';
import { type Composition, isCompositionFile, mayBeComposition, parseAuthored } from '../model/composition.ts';
import { fontSheetPaths } from '../model/fonts/fontSheetPaths.ts';
import { referenceBase, referenceCandidates } from '../model/graph.ts';
import type { DecodedText } from '../model/text/textEncoding.ts';

/**
 * Paths are project-relative POSIX paths. Nothing here reads files: the command line fills the project once, the language
 * server keeps it up to date.
 */
export type Project = {
  /** The composition files, sorted. Parses all files that may be compositions. */
  files(): readonly string[];
  /** How the text of a composition file was decoded; undefined if unknown. */
  encoding(path: string): FileEncoding | undefined;
  /** Why a style sheet or script cannot be decoded; undefined if it can, or has not been read. */
  undecodable(path: string): string | undefined;
  /** A file as a composition, parsed once per text; undefined if there is no such composition file. */
  composition(path: string): Composition | undefined;
  /** Whether a file of any kind exists at a path; undefined if unknown. */
  exists(path: string): boolean | undefined;
  /** Whether a path is a link, or below a link, that leads out of the project folder. Renders refuse it. */
  isOutside(path: string): boolean;
  /** All files of the project, sorted, for path completion. Empty if unknown. */
  assets(): readonly string[];
  /** The composition file that a host in the file `from` embeds; null if there is none. */
  target(from: string, source: string): string | null;
  /** The composition files that embed this one, sorted. */
  embeddersOf(path: string): readonly string[];
  /** The text of a style sheet; undefined if there is none, or if it has not been read. */
  styleSheet(path: string): string | undefined;
  /** A file of captions, parsed once per text; undefined if there is none, or if it has not been read. */
  captions(path: string): Captions | undefined;
  /** The style sheets that declare fonts for every composition; undefined if unknown. */
  fontSheets(): readonly string[] | undefined;
};

export type FileEncoding = Omit<DecodedText, 'text'>;

export type ProjectFiles = Project & {
  /** Adds or updates an HTML file, a style sheet or a file of captions. A text that is not a composition is listed as another kind of file. */
  set(path: string, text: string, encoding?: FileEncoding): void;
  /** The files that may be compositions, without parsing any. */
  candidates(): readonly string[];
  /** Sets the messages of `undecodable`. */
  setUndecodable(messages: ReadonlyMap<string, string>): void;
  remove(path: string): void;
  /** Sets the paths of all files of the project, including compositions; undefined if unknown. */
  setAssets(paths: Iterable<string> | undefined): void;
  /** Sets the paths of files and folders that are links to places outside the project folder. */
  setOutside(paths: Iterable<string>): void;
  /** Sets the text of the project's manifest; null if it has none. */
  setManifest(text: string | null): void;
};

const isStyleSheet = (path: string): boolean => /\.css$/i.test(path);
const isCaptions = (path: string): boolean => /\.(?:vtt|srt)$/i.test(path);

/** Whether the texts of files with this path are read, besides those of HTML files. */
export const isLinkedText = (path: string): boolean => isStyleSheet(path) || isCaptions(path);

/** `before` is the result for an earlier text, kept until the current text is parsed. */
type Entry = {
  text: string;
  encoding: FileEncoding | undefined;
  parsed: Composition | undefined;
  before: Composition | undefined;
};

/** The files that embed each composition, sorted. */
type Embedders = ReadonlyMap<string, readonly string[]>;

type State = {
  entries: Map<string, Entry>;
  styleSheets: Map<string, string>;
  captions: Map<string, { text: string; parsed: Captions | undefined }>;
  manifest: string | null;
  undecodable: ReadonlyMap<string, string>;
  /** The paths of all files; undefined if unknown. */
  assets: Set<string> | undefined;
  /** Links that lead out of the project folder. */
  outside: ReadonlySet<string>;
  /** Computed from `entries` and `assets` when needed; undefined after a change. */
  allFiles: readonly string[] | undefined;
  fontSheets: readonly string[] | undefined;
  /** The compositions, sorted. Separate from `embedders`, which requires that all of them are parsed. */
  files: readonly string[] | undefined;
  embedders: Embedders | undefined;
  /** The files that each composition embeds. Valid until a file is added or removed. */
  targets: WeakMap<Composition, ReadonlySet<string>>;
};

export function createProject(): ProjectFiles {
  const state: State = {
    entries: new Map(),
    styleSheets: new Map(),
    captions: new Map(),
    manifest: null,
    undecodable: new Map(),
    assets: undefined,
    outside: new Set(),
    allFiles: undefined,
    fontSheets: undefined,
    files: undefined,
    embedders: undefined,
    targets: new WeakMap(),
  };
  return {
    files: () => filesOf(state),
    encoding: (path) => state.entries.get(path)?.encoding,
    undecodable: (path) => state.undecodable.get(path),
    candidates: () => [...state.entries].filter(([, { text }]) => mayBeComposition(text)).map(([path]) => path),
    composition: (path) => compositionAt(state.entries, path),
    exists: (path) => isKept(state, path) || state.assets?.has(path),
    isOutside: (path) => isOutside(state, path),
    assets: () => allFilesOf(state),
    target: (from, source) => targetOf(state.entries, from, source),
    embeddersOf: (path) => embeddersOf(state).get(path) ?? [],
    styleSheet: (path) => state.styleSheets.get(path),
    captions: (path) => captionsAt(state, path),
    fontSheets: () => fontSheetsOf(state),
    set: (path, text, encoding) =>
      isLinkedText(path) ? setLinkedText(state, path, text) : setText(state, path, text, encoding),
    setUndecodable(messages) {
      state.undecodable = messages;
    },
    remove: (path) => removeFile(state, path),
    setAssets(paths) {
      state.assets = paths && new Set(paths);
      forgetLists(state);
    },
    setOutside(paths) {
      state.outside = new Set(paths);
    },
    setManifest(text) {
      state.manifest = text;
      state.fontSheets = undefined;
    },
  };
}

function isOutside({ outside }: State, path: string): boolean {
  if (outside.size === 0) return false;
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) if (outside.has(at)) return true;
  return false;
}

function forgetLists(state: State): void {
  state.allFiles = undefined;
  state.fontSheets = undefined;
}

function forgetCompositions(state: State): void {
  state.files = undefined;
  state.embedders = undefined;
}

const isKept = ({ entries, styleSheets, captions }: State, path: string): boolean =>
  entries.has(path) || styleSheets.has(path) || captions.has(path);

function setLinkedText(state: State, path: string, text: string): void {
  if (!isKept(state, path)) forgetLists(state);
  if (isStyleSheet(path)) state.styleSheets.set(path, text);
  else if (state.captions.get(path)?.text !== text) state.captions.set(path, { text, parsed: undefined });
}

function captionsAt({ captions }: State, path: string): Captions | undefined {
  const file = captions.get(path);
  if (file) file.parsed ??= readCues(file.text);
  return file?.parsed;
}

function setText(state: State, path: string, text: string, encoding: FileEncoding | undefined): void {
  const known = state.entries.get(path);
  if (known?.text === text) {
    // Saved or opened in another encoding.
    known.encoding = encoding;
    return;
  }
  if (!known) {
    state.targets = new WeakMap();
    forgetLists(state);
  }
  state.entries.set(path, { text, encoding, parsed: undefined, before: known?.parsed ?? known?.before });
  forgetCompositions(state);
}

function removeFile(state: State, path: string): void {
  if (state.entries.delete(path)) state.targets = new WeakMap();
  state.styleSheets.delete(path);
  state.captions.delete(path);
  state.assets?.delete(path);
  forgetCompositions(state);
  forgetLists(state);
}

function compositionAt(entries: ReadonlyMap<string, Entry>, path: string): Composition | undefined {
  const entry = entries.get(path);
  if (!entry || !mayBeComposition(entry.text)) return undefined;
  entry.parsed ??= parseAuthored(entry.text, entry.before);
  entry.before = undefined;
  return isCompositionFile(entry.parsed) ? entry.parsed : undefined;
}

function targetOf(entries: ReadonlyMap<string, Entry>, from: string, source: string): string | null {
  if (source === '') return null;
  const base = referenceBase(from, compositionAt(entries, from) ?? { base: null });
  return referenceCandidates(base, source).find((path) => entries.has(path)) ?? null;
}

function allFilesOf(state: State): readonly string[] {
  const { entries, styleSheets, captions, assets } = state;
  const kept = [...entries.keys(), ...styleSheets.keys(), ...captions.keys()];
  state.allFiles ??= [...new Set([...kept, ...(assets ?? [])])].sort();
  return state.allFiles;
}

function fontSheetsOf(state: State): readonly string[] | undefined {
  if (!state.assets) return undefined;
  state.fontSheets ??= fontSheetPaths(allFilesOf(state), state.manifest);
  return state.fontSheets;
}

function filesOf(state: State): readonly string[] {
  state.files ??= [...state.entries.keys()].filter((path) => compositionAt(state.entries, path)).sort();
  return state.files;
}

function embeddersOf(state: State): Embedders {
  state.embedders ??= findEmbedders(state);
  return state.embedders;
}

function findEmbedders(state: State): Embedders {
  const embedders = new Map<string, string[]>();
  for (const from of filesOf(state)) {
    for (const to of targetsOf(state, from)) {
      const known = embedders.get(to);
      if (known) known.push(from);
      else embedders.set(to, [from]);
    }
  }
  return embedders;
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
