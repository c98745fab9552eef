// One folder of the workspace in memory: its files, and the projects that they belong to.
import { createProject, looksLikeComposition, type Project, type ProjectFiles } from '../renderer-core/lint/project.ts';
import type { Composition } from '../renderer-core/model/composition.ts';
import { referenceCandidates } from '../renderer-core/model/graph.ts';
import { type Files, isInSkipped } from './files.ts';
import { belowFolder, entryName, folderOf, inFolder, manifestName, projectFolderOf } from './projectFolders.ts';
import { createSlices } from './turns.ts';
import { joinUri } from './uris.ts';

/** A project inside a folder. `root` is its path below the folder, `''` for the folder itself. */
export type FolderProject = {
  root: string;
  uri: string;
  project: Project;
  /** The text of its manifest, null when it has none. */
  manifest: string | null;
};

/** Paths are below the folder, POSIX. */
export type Folder = {
  uri: string;
  /** Reads everything; resolves when it has. Asked again, it looks which files there are now. */
  read(onProgress?: (done: number, all: number) => void): Promise<void>;
  /** Resolves when everything has been read for the first time. */
  ready: Promise<void>;
  isReady(): boolean;
  /** Reads what a file embeds, ahead of everything else. */
  readTargets(path: string): Promise<void>;
  /** A text that is there or has changed; undefined when the file is gone. */
  setText(path: string, text: string | undefined): void;
  /** Reads one file again. */
  reread(path: string): Promise<void>;
  /** Whether the folder has a file at a path, as far as is known. */
  has(path: string): boolean;
  projectOf(path: string): FolderProject;
  projects(): FolderProject[];
};

/** What an open editor has in a file; undefined where none is open. It goes before the disk. */
export type OpenText = (path: string) => string | undefined;

type State = {
  uri: string;
  files: Files;
  openText: OpenText;
  /** Undefined when they cannot be listed, or are too many. */
  listed: Set<string> | undefined;
  /** Of the files that may be compositions, and of the manifests. */
  texts: Map<string, string>;
  projects: Map<string, FolderProject & { store: ProjectFiles }>;
  owners: Map<string, string>;
};

const isText = (path: string): boolean => /\.html?$/i.test(path) || nameOf(path) === manifestName;
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** `isOwn` says no to files that belong to another workspace folder inside this one. `limit`: most files that are listed. */
export function createFolder(
  uri: string,
  files: Files,
  openText: OpenText,
  isOwn: (path: string) => boolean,
  limit: number,
): Folder {
  const state: State = {
    uri,
    files,
    openText,
    listed: undefined,
    texts: new Map(),
    projects: new Map(),
    owners: new Map(),
  };
  let isReady = false;
  let becameReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    becameReady = resolve;
  });
  return {
    uri,
    ready,
    isReady: () => isReady,
    async read(onProgress) {
      try {
        const { paths, isComplete } = await files.list(uri, limit);
        const own = paths.filter(isOwn);
        state.listed = isComplete ? new Set(own) : undefined;
        await readTexts(state, own, onProgress);
      } finally {
        isReady = true;
        becameReady();
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
        shareListed(state);
      } else setText(state, path, openText(path) ?? (await files.readText(joinUri(uri, path))));
    },
    has: (path) => state.texts.has(path) || (state.listed?.has(path) ?? false),
    projectOf: (path) => projectAt(state, path),
    projects: () => [...state.projects.values()],
  };
}

/** Entries and manifests first: they say which project the others belong to. */
async function readTexts(
  state: State,
  paths: readonly string[],
  onProgress?: (done: number, all: number) => void,
): Promise<void> {
  const there = new Set(paths);
  for (const path of [...state.texts.keys()]) {
    if (!there.has(path) && state.openText(path) === undefined) state.texts.delete(path);
  }
  const isFirst = (path: string) => nameOf(path) === entryName || nameOf(path) === manifestName;
  const texts = paths.filter(isText);
  for (const batch of batchesOf(texts.filter(isFirst))) await readBatch(state, batch);
  regroup(state);
  const rest = texts.filter((path) => !isFirst(path));
  const slice = createSlices();
  let done = texts.length - rest.length;
  const batches = [...batchesOf(rest)];
  let reading = readBatch(state, batches[0] ?? []);
  for (const [index, batch] of batches.entries()) {
    await reading;
    // The disk works while this batch is parsed.
    reading = readBatch(state, batches[index + 1] ?? []);
    for (const path of batch) {
      place(state, path);
      // Parsed here, a few at a time: the first question about the whole project would else wait for all of them.
      const { project, root } = projectAt(state, path);
      project.composition(belowFolder(root, path));
      await slice();
    }
    done += batch.length;
    onProgress?.(done, texts.length);
  }
  shareListed(state);
}

function* batchesOf(paths: readonly string[]): Generator<readonly string[]> {
  const size = 32;
  for (let start = 0; start < paths.length; start += size) yield paths.slice(start, start + size);
}

async function readBatch(state: State, paths: readonly string[]): Promise<void> {
  await Promise.all(
    paths.map(async (path) => {
      const text = await state.files.readText(joinUri(state.uri, path));
      // Opened while the disk was read: the editor's text is newer.
      const current = state.openText(path) ?? text;
      if (current === undefined) state.texts.delete(path);
      else state.texts.set(path, current);
    }),
  );
}

async function readIfNew(state: State, path: string): Promise<void> {
  if (state.texts.has(path)) return;
  const text = await state.files.readText(joinUri(state.uri, path));
  if (text !== undefined && !state.texts.has(path)) setText(state, path, text);
}

function targetPaths(composition: Composition | undefined, root: string, path: string): string[] {
  const from = belowFolder(root, path);
  const sources = new Set(composition?.hosts.map(({ src }) => src.text).filter((src) => src !== ''));
  return [...sources].flatMap((src) => referenceCandidates(from, src)).map((target) => inFolder(root, target));
}

function setText(state: State, path: string, text: string | undefined): void {
  const before = state.texts.get(path);
  if (before === text) return;
  if (text === undefined) {
    state.texts.delete(path);
    state.listed?.delete(path);
  } else {
    state.texts.set(path, text);
    state.listed?.add(path);
  }
  const isNew = before === undefined || text === undefined;
  if (nameOf(path) === manifestName || (nameOf(path) === entryName && isEntry(before) !== isEntry(text)))
    regroup(state);
  else place(state, path);
  if (isNew) shareListed(state);
}

const isEntry = (text: string | undefined): boolean => text !== undefined && looksLikeComposition(text);

function rootOf({ texts }: State, path: string): string {
  return projectFolderOf(
    path,
    (folder) => texts.has(inFolder(folder, manifestName)),
    (folder) => isEntry(texts.get(inFolder(folder, entryName))),
  );
}

/** Puts every text into the project that it belongs to now, and drops projects that have become empty. */
function regroup(state: State): void {
  for (const path of new Set([...state.texts.keys(), ...state.owners.keys()])) place(state, path);
  const roots = new Set(state.owners.values());
  for (const [root, project] of state.projects) {
    if (!roots.has(root)) state.projects.delete(root);
    else project.manifest = state.texts.get(inFolder(root, manifestName)) ?? null;
  }
  shareListed(state);
}

function place(state: State, path: string): void {
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
    if (folderOf(path) === root) project.manifest = text;
  } else project.store.set(belowFolder(root, path), text);
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
    // Files of folders that are not listed may be there all the same.
    exists: (path) => {
      const isThere = store.exists(path);
      return isThere === false && isInSkipped(inFolder(root, path)) ? undefined : isThere;
    },
  };
  const manifest = state.texts.get(inFolder(root, manifestName)) ?? null;
  const created = { root, uri: joinUri(state.uri, root), project, manifest, store };
  state.projects.set(root, created);
  shareWith(state, created);
  return created;
}

/** Tells every project which files there are besides its compositions. */
function shareListed(state: State): void {
  for (const project of state.projects.values()) shareWith(state, project);
}

function shareWith({ listed }: State, { root, store }: { root: string; store: ProjectFiles }): void {
  const isInside = (path: string) => root === '' || path.startsWith(`${root}/`);
  store.setAssets(listed && [...listed].filter(isInside).map((path) => belowFolder(root, path)));
}
