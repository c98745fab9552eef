// The port through which the server sees files that no editor has open: a disk, or whatever the client can read.

/** The paths below a folder, POSIX. `isComplete` is false where there are more than the limit. */
export type Listing = { paths: readonly string[]; isComplete: boolean };

/** The bytes of one file, read in pieces: `end` is exclusive. */
export type ByteSource = { size: number; read(start: number, end: number): Promise<Uint8Array>; close(): void };

/** Nothing here throws or rejects: what cannot be read is undefined or missing. */
export type Files = {
  /** The files below a folder that are worth knowing: not those in hidden folders and in `skippedFolders`. */
  list(folderUri: string, limit: number): Promise<Listing>;
  /** A text without its byte order mark; undefined where there is none to read. */
  readText(uri: string): Promise<string | undefined>;
  openBytes(uri: string): Promise<ByteSource | undefined>;
};

/** Folders of what was made or fetched, which hold nothing that an author writes. */
export const skippedFolders: readonly string[] = ['node_modules', 'dist', 'renders'];

/** No composition is larger: what is, was made by a program, and reading it would keep the author waiting. */
export const maxTextBytes = 32 * 1024 * 1024;

/** Whether files below this folder are passed over by `list`. */
export function isSkipped(folderName: string): boolean {
  return folderName.startsWith('.') || skippedFolders.includes(folderName);
}

/** Whether a file lies in a folder that `list` passes over: then nobody knows whether it is there. */
export function isInSkipped(path: string): boolean {
  return path.split('/').slice(0, -1).some(isSkipped);
}

/** A text as the editor counts it, which does not show a byte order mark. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Asks the reader that is in charge of a URI. */
export function chooseFiles(choose: (uri: string) => Files): Files {
  return {
    list: (uri, limit) => choose(uri).list(uri, limit),
    readText: (uri) => choose(uri).readText(uri),
    openBytes: (uri) => choose(uri).openBytes(uri),
  };
}

/** Where nothing can be read. */
export const noFiles: Files = {
  list: async () => ({ paths: [], isComplete: false }),
  readText: async () => undefined,
  openBytes: async () => undefined,
};
