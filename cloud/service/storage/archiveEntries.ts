// The rules for entries of a project's archive: names, file types, sizes and positions, from the central directory.
import type { Entry } from 'yauzl';
import { ApiError } from '../api/apiErrors.ts';

export const archiveLimits = {
  entries: 20_000,
  /** Of all files, unpacked. */
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
};

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
  rejectKind(entry, shown, isFolder);
  if (entry.generalPurposeBitFlag & (1 | 0x40 | 0x2000))
    throw archiveError(`${shown} in the zip archive is encrypted.`);
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    throw archiveError(`${shown} in the zip archive uses compression method ${entry.compressionMethod}; use deflate.`);
  if (isFolder && entry.uncompressedSize > 0)
    throw archiveError(`${shown} in the zip archive is a folder but has content.`);
  return { entry, path: isFolder ? name.slice(0, -1) : name, isFolder };
}

/** Names are UTF-8 with or without the flag for it, because some programs do not set the flag. */
function decodeName(raw: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    throw archiveError(`A file name in the zip archive is not UTF-8: ${JSON.stringify(raw.toString('latin1'))}.`);
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

/** Throws ApiError for names that occur twice, and for a path that is both a file and a folder. */
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
  for (const { path, isFolder } of entries) {
    const segments = sameFile(path).split('/');
    for (let depth = isFolder ? segments.length : segments.length - 1; depth > 0; depth--) {
      const file = files.get(segments.slice(0, depth).join('/'));
      if (file !== undefined)
        throw archiveError(`${JSON.stringify(file)} in the zip archive is both a file and a folder.`);
    }
  }
}

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
