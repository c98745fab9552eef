// One workspace folder in memory: its files and the projects that they belong to.
import { createProject, isLinkedText, type Project, type ProjectFiles } from '../../renderer-core/lint/project.ts';
import {
  type Composition,
  isCompositionFile,
  mayBeComposition,
  parseAuthored,
} from '../../renderer-core/model/composition.ts';
import { referenceBase, referenceCandidates } from '../../renderer-core/model/graph.ts';
import { joinUri } from '../uris.ts';
import { type Files, isInSkippedFolder } from './files.ts';
import { belowFolder, entryName, folderOf, inFolder, manifestName, projectFolderOf } from './projectFolders.ts';

/** A project inside a folder. `root` is its path below the folder; `''` for the folder itself. */
export type FolderProject = {
  root: string;
  uri: string;
  project: Project;
  /** The files that may be compositions, without parsing any. */
  candidates(): readonly string[];
  /** The text of its manifest; null if it has none. */
  manifest: string | null;
};

/** All paths are relative to the folder, POSIX. */
export type Folder = {
  uri: string;
  /** Reads all files and resolves when done. Later calls list the files again. */
  read(onProgress?: (done: number, all: number) => void): Promise<void>;
  /** Resolves when the folder has been read for the first time. */
  ready: Promise<void>;
  isReady(): boolean;
  /** Reads the files that a file embeds, before all others. */
  readTargets(path: string): Promise<void>;
  /** Sets a new or changed text; undefined if the file was deleted. */
  setText(path: string, text: string | undefined): void;
  /** Reads one file again. */
  reread(path: string): Promise<void>;
  /** Whether a file is known to exist at a path. */
  has(path: string): boolean;
  projectOf(path: string): FolderProject;
  projects(): FolderProject[];
};

/** The text of an open editor, which overrides the disk; undefined if the file is not open. */
export type OpenText = (path: string) => string | undefined;

type State = {
  uri: string;
  files: Files;
  openText: OpenText;
  /** Undefined if the files cannot be listed or exceed the limit. */
  listed: Set<string> | undefined;
  links: ReadonlyMap<string, string | null>;
  /** Texts of files that may be compositions, of style sheets and of manifests. */
  texts: Map<string, string>;
  projects: Map<string, FolderProject & { store: ProjectFiles }>;
  owners: Map<string, string>;
  /** Whether the texts of `index.html` files are compositions. */
  entries: Map<string, Entry>;
};

/** `parsed` is kept while the file is open, because parsing after an edit is faster with it. */
type Entry = { text: string; isComposition: boolean; parsed: Composition | undefined };

const isText = (path: string): boolean => /\.html?$/i.test(path) || isLinkedText(path) || nameOf(path) === manifestName;
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export type FolderOptions = {
  uri: string;
  files: Files;
  openText: OpenText;
  /** False for files that belong to a nested workspace folder. */
  isOwn(path: string): boolean;
  /** Maximum number of files to list. */
  limit: number;
};

export function createFolder({ uri, files, openText, isOwn, limit }: FolderOptions): Folder {
  const state: State = {
    uri,
    files,
    openText,
    listed: undefined,
    links: new Map(),
    texts: new Map(),
    projects: new Map(),
    owners: new Map(),
    entries: new Map(),
  };
  let isReady = false;
  let resolveReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    resolveReady = resolve;
  });
  return {
    uri,
    ready,
    isReady: () => isReady,
    async read(onProgress) {
      try {
        const { paths, isComplete, links } = await files.list(uri, limit);
        state.links = links ?? new Map();
        const own = paths.filter(isOwn);
        state.listed = isComplete ? new Set(own) : undefined;
        await readTexts(state, own, onProgress);
      } finally {
        isReady = true;
        resolveReady();
      }
    },
    async readTargets(path) {
      const { root, project } = projectAt(state, path);
      const composition = project.composition(belowFolder(root, path));
      await Promise.all(targetPaths(composition, root, path).map((target) => readIfNew(state, target)));
    },
    setText: (path, text) => setText(state, path, text),
    async reread(path) {
      if (!isText(path)) {
        state.listed?.add(path);
        updateAssets(state);
      } else setText(state, path, openText(path) ?? (await files.readText(joinUri(uri, path))));
    },
    has: (path) => state.texts.has(path) || (state.listed?.has(path) ?? false),
    projectOf: (path) => projectAt(state, path),
    projects: () => [...state.projects.values()],
  };
}

/** Reads entries and manifests first: they decide which project the other files belong to. */
async function readTexts(
  state: State,
  paths: readonly string[],
  onProgress?: (done: number, all: number) => void,
): Promise<void> {
  const existing = new Set(paths);
  for (const path of [...state.texts.keys()]) {
    if (!existing.has(path) && state.openText(path) === undefined) state.texts.delete(path);
  }
  const isFirst = (path: string) => nameOf(path) === entryName || nameOf(path) === manifestName;
  const texts = paths.filter(isText);
  for (const batch of batchesOf(texts.filter(isFirst))) await readBatch(state, batch);
  regroup(state);
  const rest = texts.filter((path) => !isFirst(path));
  let done = texts.length - rest.length;
  // Nothing is parsed here: most projects of a large workspace are not needed in a session.
  for (const batch of batchesOf(rest)) {
    await readBatch(state, batch);
    for (const path of batch) assignProject(state, path);
    done += batch.length;
    onProgress?.(done, texts.length);
  }
  updateAssets(state);
}

function* batchesOf(paths: readonly string[]): Generator<readonly string[]> {
  const size = 32;
  for (let start = 0; start < paths.length; start += size) yield paths.slice(start, start + size);
}

async function readBatch(state: State, paths: readonly string[]): Promise<void> {
  await Promise.all(
    paths.map(async (path) => {
      const text = await state.files.readText(joinUri(state.uri, path));
      // If the file was opened in the meantime, the editor's text is newer.
      const current = state.openText(path) ?? text;
      if (current === undefined) state.texts.delete(path);
      else state.texts.set(path, current);
    }),
  );
}

async function readIfNew(state: State, path: string): Promise<void> {
  if (state.texts.has(path)) {
    // A batch of files that has been read in part belongs to no project yet.
    if (!state.owners.has(path)) assignProject(state, path);
    return;
  }
  const text = await state.files.readText(joinUri(state.uri, path));
  if (text !== undefined && !state.texts.has(path)) setText(state, path, text);
}

function targetPaths(composition: Composition | undefined, root: string, path: string): string[] {
  const from = composition ? referenceBase(belowFolder(root, path), composition) : path;
  const sources = new Set(composition?.hosts.map(({ src }) => src.text).filter((src) => src !== ''));
  return [...sources].flatMap((src) => referenceCandidates(from, src)).map((target) => inFolder(root, target));
}

function setText(state: State, path: string, text: string | undefined): void {
  const before = state.texts.get(path);
  if (before === text && (text === undefined || state.owners.has(path))) return;
  const wasEntry = isEntry(state, path);
  if (text === undefined) {
    state.texts.delete(path);
    state.listed?.delete(path);
    state.entries.delete(path);
  } else {
    state.texts.set(path, text);
    state.listed?.add(path);
  }
  const isNew = before === undefined || text === undefined;
  if (nameOf(path) === manifestName || wasEntry !== isEntry(state, path)) regroup(state);
  else assignProject(state, path);
  if (isNew) updateAssets(state);
}

/** Whether a path is an `index.html` that is a composition, which makes its folder a project. */
function isEntry({ texts, entries, openText }: State, path: string): boolean {
  const text = nameOf(path) === entryName ? texts.get(path) : undefined;
  if (text === undefined || !mayBeComposition(text)) return false;
  const known = entries.get(path);
  if (known?.text === text) return known.isComposition;
  const parsed = parseAuthored(text, known?.parsed);
  const isComposition = isCompositionFile(parsed);
  entries.set(path, { text, isComposition, parsed: openText(path) === undefined ? undefined : parsed });
  return isComposition;
}

function rootOf(state: State, path: string): string {
  const { texts } = state;
  return projectFolderOf(
    path,
    (folder) => texts.has(inFolder(folder, manifestName)),
    (folder) => isEntry(state, inFolder(folder, entryName)),
  );
}

/** Assigns every text to its current project and removes projects that have become empty. */
function regroup(state: State): void {
  for (const path of new Set([...state.texts.keys(), ...state.owners.keys()])) assignProject(state, path);
  const roots = new Set(state.owners.values());
  for (const [root, project] of state.projects) {
    if (!roots.has(root)) state.projects.delete(root);
    else setManifest(project, state.texts.get(inFolder(root, manifestName)) ?? null);
  }
  updateAssets(state);
}

function assignProject(state: State, path: string): void {
  const text = state.texts.get(path);
  const before = state.owners.get(path);
  const root = text === undefined ? undefined : rootOf(state, path);
  if (before !== undefined && before !== root) {
    state.projects.get(before)?.store.remove(belowFolder(before, path));
    state.owners.delete(path);
  }
  if (root === undefined || text === undefined) return;
  state.owners.set(path, root);
  const project = projectFor(state, root);
  if (nameOf(path) === manifestName) {
    if (folderOf(path) === root) setManifest(project, text);
  } else project.store.set(belowFolder(root, path), text);
}

function setManifest(project: FolderProject & { store: ProjectFiles }, text: string | null): void {
  project.manifest = text;
  project.store.setManifest(text);
}

function projectAt(state: State, path: string): FolderProject & { store: ProjectFiles } {
  return projectFor(state, state.owners.get(path) ?? rootOf(state, path));
}

function projectFor(state: State, root: string): FolderProject & { store: ProjectFiles } {
  const known = state.projects.get(root);
  if (known) return known;
  const store = createProject();
  const project: Project = {
    ...store,
    // Files in folders that are not listed may exist.
    exists: (path) => {
      const isThere = store.exists(path);
      return isThere === false && isInSkippedFolder(inFolder(root, path)) ? undefined : isThere;
    },
  };
  const manifest = state.texts.get(inFolder(root, manifestName)) ?? null;
  const created = { root, uri: joinUri(state.uri, root), project, candidates: store.candidates, manifest, store };
  setManifest(created, manifest);
  state.projects.set(root, created);
  updateAssetsOf(state, created);
  return created;
}

/** Updates each project's list of files other than compositions. */
function updateAssets(state: State): void {
  for (const project of state.projects.values()) updateAssetsOf(state, project);
}

function updateAssetsOf({ listed, links }: State, { root, store }: { root: string; store: ProjectFiles }): void {
  const isInside = (path: string) => root === '' || path.startsWith(`${root}/`);
  store.setAssets(listed && [...listed].filter(isInside).map((path) => belowFolder(root, path)));
  const leadsOut = ([path, target]: [string, string | null]) =>
    isInside(path) && (target === null || !isInside(target));
  store.setOutside([...links].filter(leadsOut).map(([path]) => belowFolder(root, path)));
}
