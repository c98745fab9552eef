// Files: access to files that no editor has open, on disk or through the client.

/** The paths below a folder, POSIX. `isComplete` is false if there are more than the limit. */
export type Listing = {
  paths: readonly string[];
  isComplete: boolean;
  /** The target of each link by its path, both relative to the folder; null if it is outside the folder. */
  links?: ReadonlyMap<string, string | null>;
};

/** The bytes of one file, read in pieces; `end` is exclusive. */
export type ByteSource = { size: number; read(start: number, end: number): Promise<Uint8Array>; close(): void };

/** None of these functions throws or rejects: what cannot be read is undefined or missing. */
export type Files = {
  /** The files below a folder, except those in hidden folders and in `skippedFolders`. */
  list(folderUri: string, limit: number): Promise<Listing>;
  /** The text without its byte order mark; undefined if it cannot be read. */
  readText(uri: string): Promise<string | undefined>;
  openBytes(uri: string): Promise<ByteSource | undefined>;
};

/** Folders with generated or downloaded files, which authors do not edit. */
export const skippedFolders: readonly string[] = ['node_modules', 'dist', 'renders'];

/** Larger files are not read. A composition that large is generated, and reading it would block the author. */
export const maxTextBytes = 32 * 1024 * 1024;

/** Whether `list` skips the files in a folder of this name. */
export function isSkipped(folderName: string): boolean {
  return folderName.startsWith('.') || skippedFolders.includes(folderName);
}

/** Whether a file is in a folder that `list` skips, so that its existence is unknown. */
export function isInSkippedFolder(path: string): boolean {
  return path.split('/').slice(0, -1).some(isSkipped);
}

/** The text in its encoding, without a byte order mark, which editors do not count as text. */
export async function decoded(bytes: Uint8Array, uri: string): Promise<string> {
  // Loaded with the first file: the tables of encodings are large.
  const { decodeText } = await import('../../renderer-core/model/text/textEncoding.ts');
  return decodeText(bytes, uri).text.replace(/^\uFEFF/, '');
}

/** Selects the reader for each URI. */
export function chooseFiles(choose: (uri: string) => Files): Files {
  return {
    list: (uri, limit) => choose(uri).list(uri, limit),
    readText: (uri) => choose(uri).readText(uri),
    openBytes: (uri) => choose(uri).openBytes(uri),
  };
}

/** Reads nothing. */
export const noFiles: Files = {
  list: async () => ({ paths: [], isComplete: false }),
  readText: async () => undefined,
  openBytes: async () => undefined,
};
