// Projects come as zip archives from strangers: what is not a plain project is refused before or while it is unpacked.
import { mkdir, open as openFile, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { openPromise, type ZipFile } from 'yauzl';
import { ApiError } from './apiErrors.ts';
import {
  type ArchiveEntry,
  archiveError,
  archiveLimits,
  excess,
  readEntry,
  refuseCollisions,
  refuseOverlaps,
  refuseSizes,
} from './archiveEntries.ts';

/** Looks at the directory of a zip archive alone. Throws ApiError `framework_project_invalid`. */
export async function checkArchive(path: string): Promise<{ files: number; bytes: number }> {
  const { entries } = await withArchive(path, async (archive) => archive);
  const files = entries.filter(({ isFolder }) => !isFolder);
  return { files: files.length, bytes: files.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0) };
}

/** Unpacks into `folder`, which must be empty. Throws ApiError `framework_project_invalid`; what was written stays then. */
export async function unpackArchive(path: string, folder: string, signal?: AbortSignal): Promise<void> {
  await withArchive(path, async ({ zip, entries, size }) => {
    let bytes = 0;
    const count = (more: number): ApiError | undefined => {
      bytes += more;
      return excess(bytes, size);
    };
    for (const each of entries) {
      signal?.throwIfAborted();
      const target = join(folder, each.path);
      await mkdir(each.isFolder ? target : dirname(target), { recursive: true, mode: 0o700 });
      if (!each.isFolder) await unpackFile(zip, each, target, count);
    }
  });
}

/**
 * The folder that compositions are looked for in: `folder`, or the only folder in it where people have packed the
 * project's folder instead of what is in it.
 */
export async function projectFolder(folder: string, composition: string): Promise<string> {
  const isThere = await stat(join(folder, composition)).then(
    (found) => found.isFile(),
    () => false,
  );
  if (isThere) return folder;
  // What one system adds to every archive.
  const names = (await readdir(folder, { withFileTypes: true })).filter(
    ({ name }) => name !== '__MACOSX' && name !== '.DS_Store',
  );
  const [only] = names;
  return names.length === 1 && only?.isDirectory() ? join(folder, only.name) : folder;
}

type OpenArchive = { zip: ZipFile; entries: ArchiveEntry[]; size: number };

async function withArchive<T>(path: string, use: (archive: OpenArchive) => Promise<T>): Promise<T> {
  const { size } = await stat(path);
  let zip: ZipFile | undefined;
  try {
    // Names are decoded and sizes are counted here: the library would guess at the first.
    zip = await openPromise(path, { autoClose: false, decodeStrings: false, validateEntrySizes: true });
    return await use({ zip, entries: await readDirectory(zip, size), size });
  } catch (error) {
    throw explain(error);
  } finally {
    zip?.close();
  }
}

/** The part of the library's reader that its types leave out: where it reads the directory next. */
type Cursor = { readEntryCursor: number };

/** What follows the directory: its end record, and for large archives two more records. */
const endBytes = 22;
const zip64EndBytes = 56 + 20;

async function readDirectory(zip: ZipFile, size: number): Promise<ArchiveEntry[]> {
  const cursor = zip as unknown as Cursor;
  const start = cursor.readEntryCursor;
  const { entryCount } = zip as unknown as { entryCount: number };
  if (entryCount === 0) throw archiveError('The zip archive is empty.');
  if (entryCount > archiveLimits.entries)
    throw archiveError(`The zip archive holds more than ${archiveLimits.entries} files.`);
  const entries: ArchiveEntry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(readEntry(entry));
  const rest = size - cursor.readEntryCursor - endBytes - zip.comment.length;
  if (rest !== 0 && rest !== zip64EndBytes)
    throw archiveError('The zip archive is damaged: its directory is not as long as it says.');
  refuseCollisions(entries);
  refuseSizes(entries, size);
  refuseOverlaps(entries, start);
  return entries;
}

async function unpackFile(
  zip: ZipFile,
  { entry, path }: ArchiveEntry,
  target: string,
  count: (bytes: number) => ApiError | undefined,
): Promise<void> {
  const header = await zip.readLocalFileHeaderPromise(entry);
  // A program that reads the file from front to back would have seen another project.
  if (!header.fileName.equals(entry.fileNameRaw))
    throw archiveError(`${JSON.stringify(path)} has another name in the zip archive's directory than in front of it.`);
  const file = await openFile(target, 'wx', 0o600);
  let sum = 0;
  let size = 0;
  let refused: ApiError | undefined;
  async function write(chunks: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of chunks) {
      size += chunk.length;
      // Of streams that break off together, the pipeline may tell of another one.
      if (size > entry.uncompressedSize) refused = archiveError(wrongSize);
      refused ??= count(chunk.length);
      if (refused) throw refused;
      sum = crc32(chunk, sum);
      await file.writeFile(chunk);
    }
  }
  try {
    // Inflated here: an error of the library's own stream may come before anybody can listen for it.
    const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    if (entry.compressionMethod === 0) await pipeline(packed, write);
    else await pipeline(packed, createInflateRaw(), write);
  } catch (error) {
    throw refused ?? error;
  } finally {
    await file.close();
  }
  if (size !== entry.uncompressedSize) throw archiveError(wrongSize);
  if (sum !== entry.crc32)
    throw archiveError(`${JSON.stringify(path)} in the zip archive is damaged: its checksum is wrong.`);
}

const wrongSize = 'A file in the zip archive is larger or smaller than its directory says.';

/** What the library and zlib say of an archive, in our words. Faults of this machine stay what they are. */
function explain(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const { message, code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== undefined) return error;
  if (code?.startsWith('Z_')) return archiveError(`A file in the zip archive is damaged: ${message}.`);
  if (!(error instanceof Error) || code !== undefined) return error;
  const [, told = `The zip archive is damaged: ${message}.`] = known.find(([pattern]) => pattern.test(message)) ?? [];
  return archiveError(told);
}

const known: [RegExp, string][] = [
  [/End of central directory record signature not found/, 'This is no zip archive, or its end is missing.'],
  [/Invalid comment length/, 'There are bytes behind the end of the zip archive.'],
  [/multi-disk/, 'The zip archive is one part of several; send it as a single file.'],
  [/strong encryption/, 'The zip archive is encrypted.'],
  [/central directory file header signature|unexpected EOF/i, 'The zip archive is damaged: its directory is cut off.'],
  [/size mismatch/, wrongSize],
];
