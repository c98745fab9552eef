// What may be in a project's archive: names, kinds, sizes and places of its entries, judged by the central directory.
import type { Entry } from 'yauzl';
import { ApiError } from './apiErrors.ts';

export const archiveLimits = {
  entries: 20_000,
  /** Of all files, unpacked. */
  bytes: 2 * 1024 ** 3,
  /** Unpacked against packed. Deflate reaches a thousand; projects are far below, and small ones may be anything. */
  ratio: 100,
  ratioFrom: 64 * 1024 ** 2,
  nameBytes: 1024,
  /** What file systems take for one name. */
  segmentBytes: 255,
};

export type ArchiveEntry = { entry: Entry; path: string; isFolder: boolean };

export function archiveError(message: string): ApiError {
  return new ApiError('framework_project_invalid', message, { param: 'project' });
}

/** The entry with the path that it will have, relative and with slashes. Throws ApiError for everything but plain files and folders. */
export function readEntry(entry: Entry): ArchiveEntry {
  const name = decodeName(entry.fileNameRaw);
  const shown = JSON.stringify(name);
  refuseName(name, shown);
  const isFolder = name.endsWith('/');
  refuseKind(entry, shown, isFolder);
  if (entry.generalPurposeBitFlag & (1 | 0x40 | 0x2000))
    throw archiveError(`${shown} in the zip archive is encrypted.`);
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    throw archiveError(
      `${shown} is compressed with method ${entry.compressionMethod}; use deflate, as every zip program can.`,
    );
  if (isFolder && entry.uncompressedSize > 0) throw archiveError(`${shown} is a folder, and has content.`);
  return { entry, path: isFolder ? name.slice(0, -1) : name, isFolder };
}

/** UTF-8 with or without the flag that says so: some programs leave it out. */
function decodeName(raw: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    throw archiveError(`A name in the zip archive is not UTF-8: ${JSON.stringify(raw.toString('latin1'))}.`);
  }
}

function refuseName(name: string, shown: string): void {
  if (name === '') throw archiveError('A name in the zip archive is empty.');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
  if (/[\x00-\x1f\x7f]/.test(name))
    throw archiveError(`${shown} in the zip archive has a control character in its name.`);
  if (name.includes('\\')) throw archiveError(`${shown} in the zip archive has a backslash in its name; use slashes.`);
  if (name.startsWith('/') || /^[a-z]:/i.test(name))
    throw archiveError(`${shown} in the zip archive is an absolute path; names must be relative to the project.`);
  const segments = name.replace(/\/$/, '').split('/');
  if (segments.includes('..')) throw archiveError(`${shown} in the zip archive leads out of the project.`);
  if (segments.some((segment) => segment === '' || segment === '.'))
    throw archiveError(`${shown} in the zip archive has an empty part or "." in its path.`);
  const bytes = (text: string) => Buffer.byteLength(text);
  if (bytes(name) > archiveLimits.nameBytes || segments.some((segment) => bytes(segment) > archiveLimits.segmentBytes))
    throw archiveError(`${shown.slice(0, 80)}… in the zip archive is longer than a path may be.`);
}

const kindBits = 0o170000;
const kinds = { folder: 0o040000, file: 0o100000, link: 0o120000 };

/** The upper half of the attributes is a Unix mode where the program that packed it wrote one. */
function refuseKind({ externalFileAttributes }: Entry, shown: string, isFolder: boolean): void {
  const kind = (externalFileAttributes >>> 16) & kindBits;
  if (kind === kinds.link)
    throw archiveError(`${shown} in the zip archive is a symbolic link; put the file itself in its place.`);
  if (kind !== 0 && kind !== (isFolder ? kinds.folder : kinds.file))
    throw archiveError(`${shown} in the zip archive is neither a file nor a folder.`);
}

/** Names that are one file on some system: another case, or the same letters composed otherwise. */
const sameFile = (path: string): string => path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/** Throws ApiError for names that stand twice, and for files that others lie below. */
export function refuseCollisions(entries: readonly ArchiveEntry[]): void {
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
        throw archiveError(`${JSON.stringify(file)} in the zip archive is a file and a folder at once.`);
    }
  }
}

/** Throws ApiError for what the directory itself says is too much. It may lie, so unpacking counts again. */
export function refuseSizes(entries: readonly ArchiveEntry[], archiveBytes: number): void {
  const bytes = entries.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
  const error = excess(bytes, archiveBytes);
  if (error) throw error;
}

/** What is wrong with so many unpacked bytes out of so many packed ones. */
export function excess(bytes: number, archiveBytes: number): ApiError | undefined {
  const { bytes: most, ratio, ratioFrom } = archiveLimits;
  if (bytes > most) return archiveError(`The zip archive unpacks to more than ${most / 1024 ** 3} GiB.`);
  if (bytes <= ratioFrom || bytes <= ratio * archiveBytes) return undefined;
  return archiveError(`The zip archive unpacks to more than ${ratio} times its size.`);
}

/** The least room that an entry takes: its header without extra fields, and its data. */
const leastEnd = ({ entry }: ArchiveEntry): number =>
  entry.relativeOffsetOfLocalHeader + 30 + entry.fileNameLength + entry.compressedSize;

/** Throws ApiError where entries share bytes, as those of bombs do, or lie outside the part before the directory. */
export function refuseOverlaps(entries: readonly ArchiveEntry[], directoryStart: number): void {
  const inOrder = [...entries].sort(
    (a, b) => a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader,
  );
  let end = 0;
  for (const [index, each] of inOrder.entries()) {
    const start = each.entry.relativeOffsetOfLocalHeader;
    if (index === 0 && start > 0) throw archiveError('There are bytes in front of the zip archive.');
    if (start < end) throw archiveError(`${JSON.stringify(each.path)} overlaps another file in the zip archive.`);
    end = leastEnd(each);
  }
  if (end > directoryStart) throw archiveError('The zip archive is damaged: its files reach into its directory.');
}
