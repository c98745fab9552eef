// All compositions that the server knows: in workspace folders, in files outside of them, and in untitled documents.
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { SourceFile } from '../features/sourceFile.ts';
import { createTimeSlicer } from '../scheduler.ts';
import { joinUri, parentUri, pathBelow, schemeOf, uriKey } from '../uris.ts';
import { type Files, isInSkippedFolder, noFiles } from './files.ts';
import { createFolder, type Folder, type FolderProject } from './folder.ts';
import { belowFolder, manifestName } from './projectFolders.ts';

/** A change on disk that the client reports. */
export type FileChange = { uri: string; kind: 'created' | 'changed' | 'deleted' };

/** A composition file and the project that it belongs to. */
export type OwnedFile = SourceFile & { owner: FolderProject };

export type Projects = {
  /** Replaces the list of workspace folders and reads the new ones. Resolves when they have been read. */
  setFolders(uris: readonly string[]): Promise<void>;
  /** Call when a document has been opened or changed. */
  setOpen(document: TextDocument): void;
  close(uri: string): Promise<void>;
  applyChanges(changes: readonly FileChange[]): Promise<void>;
  /** The composition in a file, with the editor's text; undefined if the file is not a composition. */
  file(uri: string): OwnedFile | undefined;
  /** The project of any file, the file's path in that project, and the project's compositions. */
  projectOf(uri: string): { owner: FolderProject; path: string; fileAt(path: string): OwnedFile | undefined };
  files(): OwnedFile[];
  /** The compositions of a project, after its folder has been read. */
  filesOf(projectUri: string): Promise<OwnedFile[]>;
  manifests(): { uri: string; text: string }[];
  /** Resolves when the file's folder has been read and the compositions of its project have been parsed. */
  ready(uri: string): Promise<void>;
  /** Resolves when the files that a file embeds have been read. */
  targetsReady(uri: string): Promise<void>;
  /** Resolves when all folders have been read. */
  allRead(): Promise<void>;
  /** Resolves when all folders have been read and all compositions have been parsed. */
  allReady(): Promise<void>;
  isRead(): boolean;
  /**
   * The number of compositions in each project that has some. Parses nothing: files of a project that has not been parsed
   * count if they may be compositions.
   */
  counts(): { owner: FolderProject; count: number }[];
};

export type ProjectsPort = {
  files: Files;
  mediaDuration(uri: string): number | undefined;
  /** A monotonic clock in milliseconds. */
  now(): number;
  /** Called after files were read that results may depend on. */
  onRead(): void;
  onProgress(folderUri: string, done: number, all: number): void;
  /** Called when reading in the background has failed. */
  onError(error: unknown): void;
};

/** Maximum number of files that are listed in a workspace folder. In larger folders, missing files are not reported. */
const workspaceLimit = 50_000;

/** The limit for the folder of a file that was opened alone: the folder can contain anything. */
const standaloneLimit = 500;

type FileCache = WeakMap<FolderProject, Map<string, OwnedFile>>;

type State = {
  port: ProjectsPort;
  folders: Map<string, Folder>;
  /** Folders of files outside the workspace, and of untitled documents. They are dropped when none of their files is open. */
  standalone: Map<string, Folder>;
  open: Map<string, TextDocument>;
  cache: FileCache;
  parsed: WeakSet<FolderProject>;
};

export function createProjects(port: ProjectsPort): Projects {
  const state: State = {
    port,
    folders: new Map(),
    standalone: new Map(),
    open: new Map(),
    cache: new WeakMap(),
    parsed: new WeakSet(),
  };
  const all = () => [...state.folders.values(), ...state.standalone.values()];
  const owners = () => all().flatMap((folder) => folder.projects());
  const allRead = async () => void (await Promise.all(all().map(({ ready }) => ready)));
  return {
    setFolders: (uris) => setFolders(state, uris),
    setOpen(document) {
      state.open.set(uriKey(document.uri), document);
      const { folder, path } = locate(state, document.uri);
      folder.setText(path, document.getText());
    },
    close: (uri) => close(state, uri),
    applyChanges: (changes) => applyChanges(state, changes),
    file(uri) {
      const { folder, path } = locate(state, uri);
      const project = folder.projectOf(path);
      return fileIn(state, project, belowFolder(project.root, path));
    },
    projectOf(uri) {
      const { folder, path } = locate(state, uri);
      const owner = folder.projectOf(path);
      return { owner, path: belowFolder(owner.root, path), fileAt: (other) => fileIn(state, owner, other) };
    },
    files: () => owners().flatMap((owner) => filesOf(state, owner)),
    async filesOf(projectUri) {
      await allRead();
      const found = owners().filter(({ uri }) => uri === projectUri);
      await parse(state, found);
      return found.flatMap((owner) => filesOf(state, owner));
    },
    manifests: () =>
      owners().flatMap(({ uri, manifest }) =>
        manifest === null ? [] : { uri: joinUri(uri, manifestName), text: manifest },
      ),
    async ready(uri) {
      const { folder, path } = locate(state, uri);
      await folder.ready;
      await parse(state, [folder.projectOf(path)]);
    },
    async targetsReady(uri) {
      const { folder, path } = locate(state, uri);
      if (!folder.isReady()) await folder.readTargets(path);
    },
    allRead,
    async allReady() {
      await allRead();
      await parse(state, owners());
    },
    isRead: () => all().every((folder) => folder.isReady()),
    counts: () =>
      owners()
        .map((owner) => ({ owner, count: countOf(state, owner) }))
        .filter(({ count }) => count > 0),
  };
}

const countOf = ({ parsed }: State, owner: FolderProject): number =>
  (parsed.has(owner) ? owner.project.files() : owner.candidates()).length;

/** Parses the compositions of projects, a few at a time. Otherwise the first request would wait for all of them. */
async function parse({ parsed, port }: State, projects: readonly FolderProject[]): Promise<void> {
  const slice = createTimeSlicer(port.now);
  for (const owner of projects.filter((each) => !parsed.has(each))) {
    for (const path of owner.candidates()) {
      owner.project.composition(path);
      await slice();
    }
    parsed.add(owner);
  }
}

async function setFolders(state: State, uris: readonly string[]): Promise<void> {
  const before = state.folders;
  state.folders = new Map();
  const changed = [...before.values()].map(({ uri }) => uri).filter((uri) => !uris.includes(uri));
  changed.push(...uris.filter((uri) => !before.has(uriKey(uri))));
  const unread: Folder[] = [];
  for (const uri of uris) {
    const known = before.get(uriKey(uri));
    const folder = known ?? workspaceFolder(state, uri);
    state.folders.set(uriKey(uri), folder);
    // The files of a nested workspace folder belong only to that folder.
    if (!known || changed.some((other) => pathBelow(uri, other))) unread.push(folder);
  }
  // Files that were outside the workspace can now be inside it, and vice versa.
  state.standalone.clear();
  for (const document of state.open.values()) {
    const { folder, path } = locate(state, document.uri);
    folder.setText(path, document.getText());
  }
  await Promise.all(unread.map((folder) => readFolder(state, folder)));
}

async function readFolder(state: State, folder: Folder): Promise<void> {
  await folder.read((done, all) => state.port.onProgress(folder.uri, done, all));
  state.port.onRead();
}

function workspaceFolder(state: State, uri: string): Folder {
  const isOwn = (path: string) => innermost(state, joinUri(uri, path))?.uri === uri;
  return createFolder({
    uri,
    files: state.port.files,
    openText: openText(state, uri),
    isOwn,
    limit: workspaceLimit,
  });
}

function openText(state: State, folderUri: string): (path: string) => string | undefined {
  return (path) => state.open.get(uriKey(joinUri(folderUri, path)))?.getText();
}

function innermost(state: State, uri: string): Folder | undefined {
  let found: Folder | undefined;
  for (const folder of state.folders.values()) {
    if (pathBelow(folder.uri, uri) !== undefined && folder.uri.length > (found?.uri.length ?? -1)) found = folder;
  }
  return found;
}

/** The folder of a file and the file's path in it. A file outside the workspace is in its parent folder. */
function locate(state: State, uri: string): { folder: Folder; path: string } {
  const inside = innermost(state, uri);
  if (inside) return { folder: inside, path: pathBelow(inside.uri, uri) ?? '' };
  // An untitled document has its own folder, because it is unknown where it will be saved.
  const isUntitled = schemeOf(uri) === 'untitled';
  const folderUri = isUntitled ? uri : parentUri(uri);
  const path = isUntitled ? 'untitled.html' : (pathBelow(folderUri, uri) ?? 'untitled.html');
  const known = state.standalone.get(uriKey(folderUri));
  if (known) return { folder: known, path };
  const files = isUntitled ? noFiles : state.port.files;
  const text = isUntitled ? () => state.open.get(uriKey(uri))?.getText() : openText(state, folderUri);
  const folder = createFolder({
    uri: folderUri,
    files,
    openText: text,
    isOwn: () => true,
    limit: standaloneLimit,
  });
  state.standalone.set(uriKey(folderUri), folder);
  readFolder(state, folder).catch(state.port.onError);
  return { folder, path };
}

async function close(state: State, uri: string): Promise<void> {
  state.open.delete(uriKey(uri));
  const { folder, path } = locate(state, uri);
  const stillOpen = [...state.open.values()].some((document) => locate(state, document.uri).folder === folder);
  if (state.standalone.get(uriKey(folder.uri)) === folder && !stillOpen) state.standalone.delete(uriKey(folder.uri));
  // If it was closed without saving, the text on disk is valid again.
  else await folder.reread(path);
  state.port.onRead();
}

/**
 * Rereads changed texts one by one. A created path without an extension, or a deleted path that is not a known file, can be
 * a folder; then the whole workspace folder is listed again.
 */
async function applyChanges(state: State, changes: readonly FileChange[]): Promise<void> {
  const toList = new Set<Folder>();
  await Promise.all(
    changes.map(async ({ uri, kind }) => {
      const folder = innermost(state, uri) ?? standaloneFolder(state, uri);
      const path = folder && pathBelow(folder.uri, uri);
      if (!folder || path === undefined || isInSkippedFolder(path)) return;
      if (kind === 'deleted') {
        const document = state.open.get(uriKey(uri));
        if (folder.has(path)) folder.setText(path, document?.getText());
        else toList.add(folder);
      } else if (kind === 'created' && !/\.[^./]+$/.test(path)) toList.add(folder);
      else await folder.reread(path);
    }),
  );
  await Promise.all([...toList].map((folder) => folder.read()));
  state.port.onRead();
}

function standaloneFolder(state: State, uri: string): Folder | undefined {
  return [...state.standalone.values()].find((folder) => pathBelow(folder.uri, uri) !== undefined);
}

function filesOf(state: State, project: FolderProject): OwnedFile[] {
  return project.project.files().flatMap((path) => fileIn(state, project, path) ?? []);
}

/** Returns the same object while the file does not change, because features cache by it. */
function fileIn(state: State, owner: FolderProject, path: string): OwnedFile | undefined {
  const composition = owner.project.composition(path);
  if (!composition) return undefined;
  const files = state.cache.get(owner) ?? new Map<string, OwnedFile>();
  state.cache.set(owner, files);
  const plainUri = isUntitledUri(owner.uri) ? owner.uri : joinUri(owner.uri, path);
  const open = state.open.get(uriKey(plainUri));
  const known = files.get(path);
  if (known?.composition === composition && (open === undefined || known.document === open)) return known;
  const uri = open?.uri ?? plainUri;
  const file: OwnedFile = {
    path,
    uri,
    owner,
    document: open ?? TextDocument.create(uri, 'html', 0, composition.text),
    composition,
    project: owner.project,
    fileAt: (other) => fileIn(state, owner, other),
    uriOf: (other) => uriIn(state, owner, other),
    mediaDuration: (other) => state.port.mediaDuration(uriIn(state, owner, other)),
  };
  files.set(path, file);
  return file;
}

const isUntitledUri = (uri: string): boolean => schemeOf(uri) === 'untitled';

/** For an open file, the URI exactly as the client wrote it. */
function uriIn(state: State, owner: FolderProject, path: string): string {
  const uri = joinUri(owner.uri, path);
  return state.open.get(uriKey(uri))?.uri ?? uri;
}
