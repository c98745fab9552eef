// Checks and unpacks uploaded zip archives, which are untrusted.
import { mkdir, open as openFile, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { decodeText } from '../../../renderer-core/model/text/textEncoding.ts';
import { ApiError } from '../api/apiErrors.ts';
import {
  type ArchiveEntry,
  archiveError,
  archiveLimits,
  excessError,
  readEntry,
  rejectCollisions,
  rejectOverlaps,
  rejectSizes,
} from './archiveEntries.ts';
import { ArchiveReader } from './archiveReader.ts';

/**
 * Unpacks into `folder`, which must be empty. Throws ApiError `framework_project_invalid`; files written so far then
 * remain.
 */
export async function unpackArchive(path: string, folder: string, signal?: AbortSignal): Promise<void> {
  await withArchive(path, async ({ zip, entries, size }) => {
    let bytes = 0;
    const count = (more: number): ApiError | undefined => {
      bytes += more;
      return excessError(bytes, size);
    };
    for (const each of entries) {
      signal?.throwIfAborted();
      const target = join(folder, each.path);
      await mkdir(each.isFolder ? target : dirname(target), { recursive: true, mode: 0o700 });
      if (!each.isFolder) await unpackFile(zip, each, target, count);
    }
  });
}

export type TextLimits = { fileBytes: number; bytes: number };

/** `opened` is called with the number of entries, `checked` when the directory is found to be right. */
export type ArchiveSteps = { opened(entries: number): void; checked(): void };

type ArchiveText = { path: string; text: string };

/**
 * Reads files whose path matches, with paths relative to the project folder: see `projectFolder`. Larger ones, and those
 * beyond the limit for all together, are left out. Throws ApiError `framework_project_invalid` for a damaged archive.
 */
export async function readTexts(
  path: string,
  pattern: RegExp,
  limits: TextLimits,
  { opened, checked }: Partial<ArchiveSteps> = {},
): Promise<ArchiveText[]> {
  const read = (archive: OpenArchive) => {
    checked?.();
    return textsOf(archive, pattern, limits);
  };
  return withArchive(path, read, opened);
}

async function textsOf(
  { zip, entries }: OpenArchive,
  pattern: RegExp,
  { fileBytes, bytes }: TextLimits,
): Promise<ArchiveText[]> {
  const folder = onlyFolder(entries);
  const texts: ArchiveText[] = [];
  let rest = bytes;
  for (const { entry, path: name, isFolder } of entries) {
    if (isFolder || !name.startsWith(folder) || !pattern.test(name)) continue;
    if (entry.uncompressedSize > Math.min(fileBytes, rest)) continue;
    rest -= entry.uncompressedSize;
    const parts: Buffer[] = [];
    for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer);
    texts.push({ path: name.slice(folder.length), text: decodeText(Buffer.concat(parts), name).text });
  }
  return texts;
}

/** macOS adds these to every archive. */
const isSystemFile = (name: string): boolean => name === '__MACOSX' || name === '.DS_Store';

/** The only folder at the top of the archive, with a slash; empty if there are several or files. */
function onlyFolder(entries: readonly ArchiveEntry[]): string {
  const tops = new Set(entries.map(({ path }) => path.split('/')[0] ?? '').filter((name) => !isSystemFile(name)));
  const [only] = tops;
  const isFile = entries.some(({ path, isFolder }) => path === only && !isFolder);
  return tops.size === 1 && only !== undefined && !isFile ? `${only}/` : '';
}

/**
 * Returns the folder that contains the compositions: `folder` itself, or its only subfolder if the archive contains the
 * project folder instead of its contents.
 */
export async function projectFolder(folder: string, composition: string): Promise<string> {
  const isThere = await stat(join(folder, composition)).then(
    (found) => found.isFile(),
    () => false,
  );
  if (isThere) return folder;
  const names = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !isSystemFile(name));
  const [only] = names;
  return names.length === 1 && only?.isDirectory() ? join(folder, only.name) : folder;
}

type OpenArchive = { zip: ZipFile; entries: ArchiveEntry[]; size: number };

async function withArchive<T>(
  path: string,
  use: (archive: OpenArchive) => Promise<T>,
  opened?: ArchiveSteps['opened'],
): Promise<T> {
  await using file = await openFile(path);
  const { size } = await file.stat();
  const reader = new ArchiveReader(file, size);
  try {
    // `decodeStrings: false` because the library guesses the encoding of names.
    const options = { autoClose: false, decodeStrings: false, validateEntrySizes: true };
    const zip = await fromRandomAccessReaderPromise(reader, size, options);
    opened?.(zip.entryCount);
    return await use({ zip, entries: await readDirectory(zip, reader, size), size });
  } catch (error) {
    throw toApiError(error);
  }
}

/** A field of the reader that its type does not declare: the position where it reads the directory next. */
type Cursor = { readEntryCursor: number };

/** The end record after the central directory. Zip64 archives have two more records. */
const endBytes = 22;
const zip64EndBytes = 56 + 20;

async function readDirectory(zip: ZipFile, reader: ArchiveReader, size: number): Promise<ArchiveEntry[]> {
  const cursor = zip as unknown as Cursor;
  const start = cursor.readEntryCursor;
  const { entryCount } = zip;
  if (entryCount === 0) throw archiveError('The zip archive is empty.');
  if (entryCount > archiveLimits.entries)
    throw archiveError(`The zip archive contains more than ${archiveLimits.entries} files.`);
  if (size - start > archiveLimits.directoryBytes)
    throw archiveError(`The zip archive's directory is larger than ${archiveLimits.directoryBytes / 1024 ** 2} MiB.`);
  await reader.loadEnd(start);
  const entries: ArchiveEntry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(readEntry(entry));
  const rest = size - cursor.readEntryCursor - endBytes - zip.comment.length;
  if (rest !== 0 && rest !== zip64EndBytes)
    throw archiveError('The zip archive is damaged: its directory has the wrong length.');
  rejectCollisions(entries);
  rejectSizes(entries, size);
  rejectOverlaps(entries, start);
  return entries;
}

async function unpackFile(
  zip: ZipFile,
  { entry, path }: ArchiveEntry,
  target: string,
  count: (bytes: number) => ApiError | undefined,
): Promise<void> {
  const header = await zip.readLocalFileHeaderPromise(entry);
  // Programs that read the archive from front to back would see another name, and so another project.
  if (!header.fileName.equals(entry.fileNameRaw))
    throw archiveError(
      `${JSON.stringify(path)} has different names in the zip archive's directory and in its file header.`,
    );
  const file = await openFile(target, 'wx', 0o600);
  let sum = 0;
  let size = 0;
  let rejection: ApiError | undefined;
  async function write(chunks: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of chunks) {
      size += chunk.length;
      // When several streams fail together, the pipeline may report the error of another one. So the first reason is
      // kept.
      if (size > entry.uncompressedSize) rejection = archiveError(wrongSize);
      rejection ??= count(chunk.length);
      if (rejection) throw rejection;
      sum = crc32(chunk, sum);
      await file.writeFile(chunk);
    }
  }
  try {
    // Inflated here because the library's own stream can emit an error before a listener is attached.
    const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    if (entry.compressionMethod === 0) await pipeline(packed, write);
    else await pipeline(packed, createInflateRaw(), write);
  } catch (error) {
    throw rejection ?? error;
  } finally {
    await file.close();
  }
  if (size !== entry.uncompressedSize) throw archiveError(wrongSize);
  if (sum !== entry.crc32) throw archiveError(`${JSON.stringify(path)} in the zip archive is damaged: wrong checksum.`);
}

const wrongSize = 'A file in the zip archive has a different size than the directory states.';

/**
 * Translates errors of the zip library and zlib into API errors. Errors of this machine (with a `syscall`) stay as they
 * are.
 */
function toApiError(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const { message, code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== undefined) return error;
  if (code?.startsWith('Z_')) return archiveError(`A file in the zip archive is damaged: ${message}.`);
  if (!(error instanceof Error) || code !== undefined) return error;
  const [, text = `The zip archive is damaged: ${message}.`] = known.find(([pattern]) => pattern.test(message)) ?? [];
  return archiveError(text);
}

const known: [RegExp, string][] = [
  [/End of central directory record signature not found/, 'This is not a zip archive, or its end is missing.'],
  [/Invalid comment length/, 'There is data after the end of the zip archive.'],
  [/multi-disk/, 'The zip archive is split into several parts; create a single file.'],
  [/strong encryption/, 'The zip archive is encrypted.'],
  [/central directory file header signature|unexpected EOF/i, 'The zip archive is damaged: its directory is cut off.'],
  [/size mismatch/, wrongSize],
];
