// The rules for entries of a project's archive: names, file types, sizes and positions, from the central directory.
import { Entry, getFileNameLowLevel } from 'yauzl';
import { ApiError } from '../api/apiErrors.ts';

export const archiveLimits = {
  entries: 20_000,
  /** Also folders that are only part of the paths of files. Without a limit, each path could create hundreds of them. */
  folders: 20_000,
  /** Folders in each other. */
  depth: 32,
  /** The size of all unpacked files together. */
  bytes: 2 * 1024 ** 3,
  /**
   * Maximum compression ratio, checked from `ratioFrom` unpacked bytes. Deflate reaches 1000; real projects stay far
   * below 100.
   */
  ratio: 100,
  ratioFrom: 64 * 1024 ** 2,
  nameBytes: 1024,
  /** The maximum of most file systems for one path segment. */
  segmentBytes: 255,
  /** The library creates an object for every 4 bytes of an extra field. Programs write less than 100 bytes. */
  extraBytes: 1024,
  directoryBytes: 16 * 1024 ** 2,
};

/** `entry` has only the fields that unpacking needs: see `neededFields`. */
export type ArchiveEntry = { entry: Entry; path: string; isFolder: boolean };

export function archiveError(message: string): ApiError {
  return new ApiError('framework_project_invalid', message, { param: 'project' });
}

/** Returns the entry with its relative path. Throws ApiError for everything but plain files and folders. */
export function readEntry(entry: Entry): ArchiveEntry {
  const name = decodeName(entry.fileNameRaw);
  const shown = JSON.stringify(name);
  rejectName(name, shown);
  const isFolder = name.endsWith('/');
  rejectDepth(name, shown);
  rejectKind(entry, shown, isFolder);
  if (entry.extraFieldLength > archiveLimits.extraBytes || entry.fileCommentLength > archiveLimits.extraBytes)
    throw archiveError(
      `${shown} in the zip archive has more than ${archiveLimits.extraBytes} bytes of extra fields or comments.`,
    );
  if (entry.generalPurposeBitFlag & (1 | 0x40 | 0x2000))
    throw archiveError(`${shown} in the zip archive is encrypted.`);
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    throw archiveError(`${shown} in the zip archive uses compression method ${entry.compressionMethod}; use deflate.`);
  if (isFolder && entry.uncompressedSize > 0)
    throw archiveError(`${shown} in the zip archive is a folder but has content.`);
  return { entry: neededFields(entry), path: isFolder ? name.slice(0, -1) : name, isFolder };
}

/** Leaves out extra fields and comments, which can need much more memory than the archive has bytes. */
function neededFields(entry: Entry): Entry {
  const { compressedSize, uncompressedSize, compressionMethod, crc32, fileNameLength } = entry;
  const { generalPurposeBitFlag, relativeOffsetOfLocalHeader } = entry;
  // A copy, because the name is a part of a buffer with the extra fields.
  const fileNameRaw = Buffer.from(entry.fileNameRaw);
  return Object.assign(new Entry(), {
    ...{ compressedSize, uncompressedSize, compressionMethod, crc32, fileNameLength, fileNameRaw },
    ...{ generalPurposeBitFlag, relativeOffsetOfLocalHeader },
  });
}

/** Names are UTF-8 with or without the flag for it, because some programs do not set the flag. */
function decodeName(raw: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    // Programs that do not write UTF-8 use the code page of DOS.
    const name = getFileNameLowLevel(0, raw, [], false);
    throw archiveError(
      `The file name ${JSON.stringify(name)} in the zip archive is not UTF-8. Rename the file, or create the archive with another program.`,
    );
  }
}

function rejectName(name: string, shown: string): void {
  if (name === '') throw archiveError('A file name in the zip archive is empty.');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this checks for
  if (/[\x00-\x1f\x7f]/.test(name))
    throw archiveError(`${shown} in the zip archive has a control character in its name.`);
  if (name.includes('\\')) throw archiveError(`${shown} in the zip archive has a backslash in its name; use slashes.`);
  if (name.startsWith('/') || /^[a-z]:/i.test(name))
    throw archiveError(`${shown} in the zip archive is an absolute path; names must be relative to the project.`);
  const segments = name.replace(/\/$/, '').split('/');
  if (segments.includes('..')) throw archiveError(`${shown} in the zip archive is outside the project.`);
  if (segments.some((segment) => segment === '' || segment === '.'))
    throw archiveError(`${shown} in the zip archive has an empty segment or "." in its path.`);
  const bytes = (text: string) => Buffer.byteLength(text);
  if (bytes(name) > archiveLimits.nameBytes || segments.some((segment) => bytes(segment) > archiveLimits.segmentBytes))
    throw archiveError(`${shown.slice(0, 80)}… in the zip archive has a path that is too long.`);
}

function rejectDepth(name: string, shown: string): void {
  const depth = name.split('/').length - 1;
  if (depth > archiveLimits.depth)
    throw archiveError(`${shown} in the zip archive is in more than ${archiveLimits.depth} folders.`);
}

const kindBits = 0o170000;
const kinds = { folder: 0o040000, file: 0o100000, link: 0o120000 };

/** The upper half of the attributes is the Unix mode, if the program that created the archive stored one. */
function rejectKind({ externalFileAttributes }: Entry, shown: string, isFolder: boolean): void {
  const kind = (externalFileAttributes >>> 16) & kindBits;
  if (kind === kinds.link)
    throw archiveError(`${shown} in the zip archive is a symbolic link; replace it with the file itself.`);
  if (kind !== 0 && kind !== (isFolder ? kinds.folder : kinds.file))
    throw archiveError(`${shown} in the zip archive is neither a file nor a folder.`);
}

/**
 * Maps names that are the same file on some file system to one key: names that differ in case or in Unicode
 * normalization.
 */
const sameFile = (path: string): string => path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/** Throws ApiError for names that occur twice, for a path that is both a file and a folder, and for too many folders. */
export function rejectCollisions(entries: readonly ArchiveEntry[]): void {
  const files = new Map<string, string>();
  for (const { path, isFolder } of entries) {
    const key = sameFile(path);
    if (isFolder) continue;
    const other = files.get(key);
    if (other !== undefined) {
      throw archiveError(
        other === path
          ? `${JSON.stringify(path)} is in the zip archive twice.`
          : `${JSON.stringify(other)} and ${JSON.stringify(path)} in the zip archive are the same file on some systems; rename one.`,
      );
    }
    files.set(key, path);
  }
  rejectFolders(entries, files);
}

/** `files` are the paths of files by `sameFile`. */
function rejectFolders(entries: readonly ArchiveEntry[], files: ReadonlyMap<string, string>): void {
  // The paths themselves, because names that differ in case are several folders on Linux.
  const folders = new Set<string>();
  for (const { path, isFolder } of entries) {
    let folder = isFolder ? path : parentOf(path);
    // The parents of a known folder are known too.
    while (folder !== '' && !folders.has(folder)) {
      const file = files.get(sameFile(folder));
      if (file !== undefined)
        throw archiveError(`${JSON.stringify(file)} in the zip archive is both a file and a folder.`);
      folders.add(folder);
      if (folders.size > archiveLimits.folders)
        throw archiveError(`The zip archive contains more than ${archiveLimits.folders} folders.`);
      folder = parentOf(folder);
    }
  }
}

/** Empty at the top. */
const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Throws ApiError if the sizes in the directory are too large. They may be wrong, so unpacking counts again. */
export function rejectSizes(entries: readonly ArchiveEntry[], archiveBytes: number): void {
  const bytes = entries.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
  const error = excessError(bytes, archiveBytes);
  if (error) throw error;
}

/** Returns the error for `bytes` unpacked from an archive of `archiveBytes`, or undefined. */
export function excessError(bytes: number, archiveBytes: number): ApiError | undefined {
  const { bytes: most, ratio, ratioFrom } = archiveLimits;
  if (bytes > most) return archiveError(`The zip archive unpacks to more than ${most / 1024 ** 3} GiB.`);
  if (bytes <= ratioFrom || bytes <= ratio * archiveBytes) return undefined;
  return archiveError(`The zip archive unpacks to more than ${ratio} times its size.`);
}

/** The minimum end of an entry: its header without extra fields, and its data. */
const minEnd = ({ entry }: ArchiveEntry): number =>
  entry.relativeOffsetOfLocalHeader + 30 + entry.fileNameLength + entry.compressedSize;

/** Throws ApiError if entries overlap, as in zip bombs, or lie outside the part before the central directory. */
export function rejectOverlaps(entries: readonly ArchiveEntry[], directoryStart: number): void {
  const inOrder = [...entries].sort(
    (a, b) => a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader,
  );
  let end = 0;
  for (const [index, each] of inOrder.entries()) {
    const start = each.entry.relativeOffsetOfLocalHeader;
    if (index === 0 && start > 0) throw archiveError('There is data before the start of the zip archive.');
    if (start < end) throw archiveError(`${JSON.stringify(each.path)} overlaps another file in the zip archive.`);
    end = minEnd(each);
  }
  if (end > directoryStart) throw archiveError('The zip archive is damaged: its files overlap its directory.');
}
