// Packs a project into a zip archive. Everything is streamed, so memory use does not grow with the project.

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { UserError } from '../errors.ts';
import { type UploadFile, unreadable } from './uploadFiles.ts';

/** `bytes` and `sha256` (hexadecimal) describe the archive, not its content. */
export type ArchiveSummary = { files: readonly UploadFile[]; bytes: number; sha256: string };

/** An archive on disk. `open` returns a new stream of the same bytes each time; `close` deletes the archive. */
export type ProjectArchive = ArchiveSummary & { open(): Readable; close(): Promise<void> };

/** `limit` is the largest size of the archive in bytes. */
export type PackOptions = { limit?: number; signal?: AbortSignal };

/**
 * Packs into a temporary file: an upload needs the length and the hash before its first byte, and sends the same bytes
 * again when it is retried. The caller must call `close`.
 * Throws UserError as `measureArchive` does, and `disk_full`.
 */
export async function createArchive(files: readonly UploadFile[], options: PackOptions = {}): Promise<ProjectArchive> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-upload-'));
  let file: FileHandle | undefined;
  const close = async (): Promise<void> => {
    await file?.close();
    file = undefined;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const handle = await open(join(folder, 'project.zip'), 'wx+', 0o600);
    file = handle;
    // An open file without a name disappears with this process, even when it is killed. Windows deletes it in `close`.
    if (process.platform !== 'win32') await rm(folder, { recursive: true, force: true });
    const summary = await pack(files, options, async (chunk) => void (await handle.writeFile(chunk)));
    const end = summary.bytes - 1;
    return { ...summary, close, open: () => handle.createReadStream({ start: 0, end, autoClose: false }) };
  } catch (error) {
    await close();
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? diskFull(error) : error;
  }
}

/**
 * Size and hash of the archive that `createArchive` would write; writes nothing.
 * Throws UserError `project_changed`, `asset_invalid`, and `framework_project_too_large` as soon as the archive exceeds
 * `limit`.
 */
export function measureArchive(files: readonly UploadFile[], options: PackOptions = {}): Promise<ArchiveSummary> {
  return pack(files, options, async () => undefined);
}

async function pack(
  files: readonly UploadFile[],
  { limit = Number.POSITIVE_INFINITY, signal }: PackOptions,
  write: (chunk: Buffer) => Promise<void>,
): Promise<ArchiveSummary> {
  const stored = files.reduce((sum, { path, size }) => sum + (isCompressed(path) ? size : 0), 0);
  if (stored > limit) throw tooLarge(files, limit);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of zipStream(files)) {
    signal?.throwIfAborted();
    bytes += chunk.length;
    if (bytes > limit) throw tooLarge(files, limit);
    hash.update(chunk);
    await write(chunk);
  }
  return { files, bytes, sha256: hash.digest('hex') };
}

/**
 * Midnight of 1 January 1980 in every time zone, the earliest time of the format. Times, modes and order are fixed so
 * that the same files give the same archive. Another build of zlib may still compress differently.
 */
const mtime = new Date(1980, 0, 1);

/** A regular file that everyone may read. */
const mode = 0o100644;

async function* zipStream(files: readonly UploadFile[]): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let content: Readable | undefined;
  zip.on('error', (error: Error) => output.destroy(error));
  for (const file of files) {
    const options = { mtime, mode, forceDosTimestamp: true, compress: !isCompressed(file.path) };
    zip.addReadStreamLazy(file.path, options, (give) => {
      content = Readable.from(contentOf(file), { objectMode: false });
      content.on('error', (error) => output.destroy(error));
      give(null, content);
    });
  }
  zip.end();
  try {
    yield* output;
  } finally {
    // Closes the current file when the consumer stops early.
    content?.destroy();
  }
}

/** Throws `project_changed` when the file is no longer the one that was listed, before or after it was read. */
async function* contentOf(file: UploadFile): AsyncGenerator<Buffer> {
  // Listing the files resolved all links. A link at this path is new and may point outside the project.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(file.real, flags).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EACCES' || error.code === 'EPERM' ? unreadable(file.path, error) : changed(file.path);
  });
  try {
    await checkUnchanged(handle, file);
    let size = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false })) {
      size += chunk.length;
      if (size > file.size) throw changed(file.path);
      yield chunk;
    }
    if (size !== file.size) throw changed(file.path);
    await checkUnchanged(handle, file);
  } finally {
    await handle.close();
  }
}

async function checkUnchanged(handle: FileHandle, { path, size, modified }: UploadFile): Promise<void> {
  const stats = await handle.stat();
  if (!stats.isFile() || stats.size !== size || stats.mtimeMs !== modified) throw changed(path);
}

function changed(path: string): UserError {
  return new UserError('project_changed', `${path} changed while the project was being packed`, {
    hint: 'Run the command again when no program is writing to the project folder.',
  });
}

function diskFull(cause: unknown): UserError {
  return new UserError('disk_full', `The disk has no space to pack the project in ${tmpdir()}`, {
    hint: 'Free some space, or set TMPDIR to a folder on another disk.',
    cause,
  });
}

/** Extensions of formats that are already compressed: deflating them again takes time and saves nothing. */
const compressed = new Set(
  [
    ...['png', 'jpg', 'jpeg', 'jfif', 'webp', 'avif', 'gif', 'heic', 'jxl'],
    ...['mp4', 'm4v', 'mov', 'webm', 'mkv', 'avi', 'mp3', 'm4a', 'aac', 'ogg', 'oga', 'ogv', 'opus', 'flac', 'weba'],
    ...['woff', 'woff2', 'zip', 'gz', 'br', 'zst', 'xz', '7z', 'lottie', 'pdf'],
  ].map((extension) => `.${extension}`),
);

function isCompressed(path: string): boolean {
  return compressed.has(/\.[^./]+$/.exec(path)?.[0].toLowerCase() ?? '');
}

function tooLarge(files: readonly UploadFile[], limit: number): UserError {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  return tooLargeError(
    `its archive would be larger than ${limit / 1e6} MB (the files have ${megabytes(total)} MB)`,
    files,
  );
}

const maxListed = 5;

/** `reason` completes the sentence "The project is too large to upload: …". The largest files are listed below it. */
export function tooLargeError(reason: string, files: readonly UploadFile[]): UserError {
  const largest = [...files].sort((a, b) => b.size - a.size).slice(0, maxListed);
  const lines = largest.map(({ path, size }) => `${megabytes(size).padStart(8)} MB  ${path}`);
  return new UserError(
    'framework_project_too_large',
    [`The project is too large to upload: ${reason}. Largest files:`, ...lines].join('\n'),
    {
      hint: 'Exclude files that the video does not need in .frameworkignore (one pattern per line), or reference large media by URL.',
      problems: largest.map(({ path, size }) => ({ message: `${size} bytes`, place: { file: path } })),
    },
  );
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
