// Every composition that the server knows of: folders of the workspace, files outside of them, documents without a file.
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { SourceFile } from './features/file.ts';
import { type Files, isInSkipped, noFiles } from './files.ts';
import { createFolder, type Folder, type FolderProject } from './folder.ts';
import { belowFolder, manifestName } from './projectFolders.ts';
import { joinUri, parentUri, pathBelow, schemeOf, uriKey } from './uris.ts';

/** A change on the disk that the client has seen. */
export type FileChange = { uri: string; kind: 'created' | 'changed' | 'deleted' };

/** A composition file and the project that it belongs to. */
export type OwnedFile = SourceFile & { owner: FolderProject };

export type Projects = {
  /** The workspace folders from now on; those that are new are read. Resolves when they have been. */
  setFolders(uris: readonly string[]): Promise<void>;
  /** A document has been opened or changed. */
  setOpen(document: TextDocument): void;
  close(uri: string): Promise<void>;
  applyChanges(changes: readonly FileChange[]): Promise<void>;
  /** The composition of a file, as it is in the editor; undefined for a file that is none. */
  file(uri: string): OwnedFile | undefined;
  /** The project that a file of any kind is in, its path there, and the compositions beside it. */
  projectOf(uri: string): { owner: FolderProject; path: string; fileAt(path: string): OwnedFile | undefined };
  /** Every composition file that is known. */
  files(): OwnedFile[];
  /** The manifests of all projects that have one. */
  manifests(): { uri: string; text: string }[];
  /** Resolves when the folder that a file is in has been read. */
  ready(uri: string): Promise<void>;
  isReadyFor(uri: string): boolean;
  /** Resolves when what a file embeds has been read. */
  targetsReady(uri: string): Promise<void>;
  allReady(): Promise<void>;
  isReady(): boolean;
  /** How many compositions there are. */
  count(): number;
};

/** What `Projects` needs from around it. */
export type ProjectsPort = {
  files: Files;
  mediaDuration(uri: string): number | undefined;
  /** Something has been read that answers may depend on. */
  onRead(): void;
  onProgress(folderUri: string, done: number, all: number): void;
  /** Reading that nobody waits for has failed. */
  onError(error: unknown): void;
};

/** Most files of a workspace folder that are listed; beyond, nobody can say that a file is missing. */
const workspaceLimit = 50_000;

/** Around a file that was opened by itself there may be anything, so little is read. */
const looseLimit = 500;

type FileCache = WeakMap<FolderProject, Map<string, OwnedFile>>;

type State = {
  port: ProjectsPort;
  folders: Map<string, Folder>;
  /** Folders of files outside the workspace, and of documents without a file; they go when nothing in them is open. */
  loose: Map<string, Folder>;
  open: Map<string, TextDocument>;
  cache: FileCache;
};

export function createProjects(port: ProjectsPort): Projects {
  const state: State = { port, folders: new Map(), loose: new Map(), open: new Map(), cache: new WeakMap() };
  const all = () => [...state.folders.values(), ...state.loose.values()];
  return {
    setFolders: (uris) => setFolders(state, uris),
    setOpen(document) {
      state.open.set(uriKey(document.uri), document);
      const { folder, path } = place(state, document.uri);
      folder.setText(path, document.getText());
    },
    close: (uri) => close(state, uri),
    applyChanges: (changes) => applyChanges(state, changes),
    file(uri) {
      const { folder, path } = place(state, uri);
      const project = folder.projectOf(path);
      return fileIn(state, project, belowFolder(project.root, path));
    },
    projectOf(uri) {
      const { folder, path } = place(state, uri);
      const owner = folder.projectOf(path);
      return { owner, path: belowFolder(owner.root, path), fileAt: (other) => fileIn(state, owner, other) };
    },
    files: () => all().flatMap((folder) => folder.projects().flatMap((project) => filesOf(state, project))),
    manifests: () =>
      all()
        .flatMap((folder) => folder.projects())
        .flatMap(({ uri, manifest }) => (manifest === null ? [] : { uri: joinUri(uri, manifestName), text: manifest })),
    ready: async (uri) => place(state, uri).folder.ready,
    async targetsReady(uri) {
      const { folder, path } = place(state, uri);
      if (!folder.isReady()) await folder.readTargets(path);
    },
    allReady: async () => void (await Promise.all(all().map(({ ready }) => ready))),
    isReadyFor: (uri) => place(state, uri).folder.isReady(),
    count: () => all().reduce((sum, folder) => sum + countIn(folder), 0),
    isReady: () => all().every((folder) => folder.isReady()),
  };
}

function countIn(folder: Folder): number {
  return folder.projects().reduce((sum, { project }) => sum + project.files().length, 0);
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
    // A folder inside of another has its files for itself.
    if (!known || changed.some((other) => pathBelow(uri, other))) unread.push(folder);
  }
  // What was outside may be inside now, and the other way round.
  state.loose.clear();
  for (const document of state.open.values()) {
    const { folder, path } = place(state, document.uri);
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
  return createFolder(uri, state.port.files, openText(state, uri), isOwn, workspaceLimit);
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

/** The folder that a file is in, and its path there. A file outside the workspace is in its own folder. */
function place(state: State, uri: string): { folder: Folder; path: string } {
  const inside = innermost(state, uri);
  if (inside) return { folder: inside, path: pathBelow(inside.uri, uri) ?? '' };
  // A document without a file is alone: it has nobody beside it, and nobody knows where it will be.
  const isUntitled = schemeOf(uri) === 'untitled';
  const folderUri = isUntitled ? uri : parentUri(uri);
  const path = isUntitled ? 'untitled.html' : (pathBelow(folderUri, uri) ?? 'untitled.html');
  const known = state.loose.get(uriKey(folderUri));
  if (known) return { folder: known, path };
  const files = isUntitled ? noFiles : state.port.files;
  const text = isUntitled ? () => state.open.get(uriKey(uri))?.getText() : openText(state, folderUri);
  const folder = createFolder(folderUri, files, text, () => true, looseLimit);
  state.loose.set(uriKey(folderUri), folder);
  readFolder(state, folder).catch(state.port.onError);
  return { folder, path };
}

async function close(state: State, uri: string): Promise<void> {
  state.open.delete(uriKey(uri));
  const { folder, path } = place(state, uri);
  const stillOpen = [...state.open.values()].some((document) => place(state, document.uri).folder === folder);
  if (state.loose.get(uriKey(folder.uri)) === folder && !stillOpen) state.loose.delete(uriKey(folder.uri));
  // Closed without saving: the disk counts again.
  else await folder.reread(path);
  state.port.onRead();
}

/**
 * Texts are read again one by one. What is new without being a file that can be read, or gone without having been known,
 * may be a folder: then the folders are walked again.
 */
async function applyChanges(state: State, changes: readonly FileChange[]): Promise<void> {
  const again = new Set<Folder>();
  await Promise.all(
    changes.map(async ({ uri, kind }) => {
      const folder = innermost(state, uri) ?? looseFolder(state, uri);
      const path = folder && pathBelow(folder.uri, uri);
      if (!folder || path === undefined || isInSkipped(path)) return;
      if (kind === 'deleted') {
        const document = state.open.get(uriKey(uri));
        if (folder.has(path)) folder.setText(path, document?.getText());
        else again.add(folder);
      } else if (kind === 'created' && !/\.[^./]+$/.test(path)) again.add(folder);
      else await folder.reread(path);
    }),
  );
  await Promise.all([...again].map((folder) => folder.read()));
  state.port.onRead();
}

function looseFolder(state: State, uri: string): Folder | undefined {
  return [...state.loose.values()].find((folder) => pathBelow(folder.uri, uri) !== undefined);
}

function filesOf(state: State, project: FolderProject): OwnedFile[] {
  return project.project.files().flatMap((path) => fileIn(state, project, path) ?? []);
}

/** One and the same object for as long as nothing in the file changes: features keep what they know by it. */
function fileIn(state: State, owner: FolderProject, path: string): OwnedFile | undefined {
  const composition = owner.project.composition(path);
  if (!composition) return undefined;
  const files = state.cache.get(owner) ?? new Map<string, OwnedFile>();
  state.cache.set(owner, files);
  const plainUri = isAlone(owner.uri) ? owner.uri : joinUri(owner.uri, path);
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

const isAlone = (uri: string): boolean => schemeOf(uri) === 'untitled';

/** As the client wrote it, for what is open. */
function uriIn(state: State, owner: FolderProject, path: string): string {
  const uri = joinUri(owner.uri, path);
  return state.open.get(uriKey(uri))?.uri ?? uri;
}
