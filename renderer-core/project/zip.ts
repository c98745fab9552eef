// A project as a zip archive: streamed, never held in memory, and the same bytes each time for the same files.
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { UserError } from '../errors.ts';
import { type SentFile, unreadable } from './sentFiles.ts';

/**
 * `bytes` and `sha256` are those of the archive. `open` gives its bytes, as often as it is called; the stream fails with
 * UserError `project_changed` before its last bytes when they would be others.
 */
export type ProjectArchive = { files: readonly SentFile[]; bytes: number; sha256: string; open(): Readable };

/**
 * Two passes: the first counts and hashes, so that the length is known before a byte is sent; the second streams, and may
 * be repeated. A temporary file would cost the disk of whoever has little, and would have to be swept up after a kill.
 * Names, order, times and modes are fixed; what is deflated is so by Node's own zlib, so that other builds of it may
 * write other bytes. Throws UserError `project_changed`, `asset_invalid`, and `framework_project_too_large` as soon as
 * the archive is larger than `limit` bytes.
 */
export async function archiveProject(
  files: readonly SentFile[],
  { limit = Number.POSITIVE_INFINITY, signal }: { limit?: number; signal?: AbortSignal } = {},
): Promise<ProjectArchive> {
  const stored = files.reduce((sum, { path, size }) => sum + (isCompressed(path) ? size : 0), 0);
  if (stored > limit) throw tooLarge(files, limit);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of zipStream(files)) {
    signal?.throwIfAborted();
    bytes += chunk.length;
    if (bytes > limit) throw tooLarge(files, limit);
    hash.update(chunk);
  }
  const sha256 = hash.digest('hex');
  return { files, bytes, sha256, open: () => Readable.from(checked(files, bytes, sha256), { objectMode: false }) };
}

/** Holds the end back until everything before it is what was promised: nobody can take a mixture for the project. */
async function* checked(files: readonly SentFile[], bytes: number, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let count = 0;
  let held: Buffer | undefined;
  for await (const chunk of zipStream(files)) {
    if (held) yield held;
    held = chunk;
    count += chunk.length;
    if (count > bytes) throw changed('The project');
    hash.update(chunk);
  }
  if (count !== bytes || hash.digest('hex') !== sha256) throw changed('The project');
  if (held) yield held;
}

/** Midnight of 1 January 1980, the first that the format knows, in every time zone. */
const mtime = new Date(1980, 0, 1);

/** Plain files that everybody may read: what they may here is nobody's business elsewhere. */
const mode = 0o100644;

async function* zipStream(files: readonly SentFile[]): AsyncGenerator<Buffer> {
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
    // Whoever stops reading leaves no file open.
    content?.destroy();
  }
}

/** Refuses a file that is no longer the one that was listed, at the beginning and at the end. */
async function* contentOf(file: SentFile): AsyncGenerator<Buffer> {
  // Links were followed when the files were listed; one that came since leads elsewhere.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(file.real, flags).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EACCES' || error.code === 'EPERM' ? unreadable(file.path, error) : changed(file.path);
  });
  try {
    await refuseChanged(handle, file);
    let size = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false })) {
      size += chunk.length;
      if (size > file.size) throw changed(file.path);
      yield chunk;
    }
    if (size !== file.size) throw changed(file.path);
    await refuseChanged(handle, file);
  } finally {
    await handle.close();
  }
}

async function refuseChanged(handle: FileHandle, { path, size, modified }: SentFile): Promise<void> {
  const stats = await handle.stat();
  if (!stats.isFile() || stats.size !== size || stats.mtimeMs !== modified) throw changed(path);
}

function changed(what: string): UserError {
  return new UserError('project_changed', `${what} changed while it was being packed`, {
    hint: 'Run the command again when nothing writes into the project folder.',
  });
}

/** Formats that are compressed themselves: deflating them takes time and gains nothing. */
const compressed = new Set(
  [
    ...['png', 'jpg', 'jpeg', 'jfif', 'webp', 'avif', 'gif', 'heic', 'jxl'],
    ...['mp4', 'm4v', 'mov', 'webm', 'mkv', 'avi', 'mp3', 'm4a', 'aac', 'ogg', 'oga', 'ogv', 'opus', 'flac', 'weba'],
    ...['woff', 'woff2', 'zip', 'gz', 'br', 'zst', 'xz', '7z', 'lottie', 'pdf'],
  ].map((extension) => `.${extension}`),
);

export function isCompressed(path: string): boolean {
  return compressed.has(/\.[^./]+$/.exec(path)?.[0].toLowerCase() ?? '');
}

/** The limit of an archive's bytes, and what takes most of the room. */
function tooLarge(files: readonly SentFile[], limit: number): UserError {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  return tooLargeError(
    `its archive would have more than ${limit / 1e6} MB (the files have ${megabytes(total)} MB)`,
    files,
  );
}

const mostNamed = 5;

/** `why` ends the sentence; the largest files follow it. */
export function tooLargeError(why: string, files: readonly SentFile[]): UserError {
  const largest = [...files].sort((a, b) => b.size - a.size).slice(0, mostNamed);
  const lines = largest.map(({ path, size }) => `${megabytes(size).padStart(8)} MB  ${path}`);
  return new UserError(
    'framework_project_too_large',
    [`The project is too large to send: ${why}. The largest:`, ...lines].join('\n'),
    {
      hint: 'Write what the video does not need into .frameworkignore, one pattern a line, or name large media by URL.',
      problems: largest.map(({ path, size }) => ({ message: `${size} bytes`, place: { file: path } })),
    },
  );
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
