// Checks that ffmpeg has written all of a file: some versions succeed when the end could not be written.
import { type FileHandle, open, statfs } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { UserError } from '../errors.ts';
import { diskFull } from '../project/tempFiles.ts';

/** The containers whose end can be recognized. A bare stream has none: it is read from ffmpeg's standard output. */
export type WholeContainer = 'mp4' | 'mov' | 'webm' | 'nut' | 'gif' | 'png';

/** Throws UserError `disk_full` or `ffmpeg_failed` unless the file at `path` is complete. */
export async function requireWhole(path: string, container: WholeContainer): Promise<void> {
  const file = await open(path).catch(() => undefined);
  try {
    if (file && (await checks[container](file, (await file.stat()).size))) return;
  } finally {
    await file?.close();
  }
  throw await incomplete(path, `${basename(path)} is ${file ? 'incomplete' : 'missing'}`);
}

async function incomplete(path: string, problem: string): Promise<UserError> {
  const disk = await statfs(dirname(path)).catch(() => undefined);
  if (disk && disk.bavail * disk.bsize < fullDiskBytes) return diskFull();
  return new UserError('ffmpeg_failed', `ffmpeg reported success, but ${problem}`, {
    hint: 'Render again. If it happens again, pass the path of another ffmpeg with --ffmpeg.',
  });
}

/** With less than this, a failed write is explained by the disk. */
const fullDiskBytes = 1 << 20;

const isMovie = async (file: FileHandle, size: number): Promise<boolean> => {
  let hasIndex = false;
  let at = 0;
  while (at < size) {
    const header = await bytes(file, at, 16);
    const short = header.readUInt32BE(0);
    const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short;
    if (length < 8) return false;
    hasIndex ||= header.toString('latin1', 4, 8) === 'moov';
    at += length;
  }
  return hasIndex && at === size;
};

/** EBML: the header element, then one segment, whose length is written last. */
const isWebm = async (file: FileHandle, size: number): Promise<boolean> => {
  const header = await bytes(file, 0, 12);
  const head = elementLength(header, 4);
  const segment = 4 + head.width + head.value;
  const { value, width, isUnknown } = elementLength(await bytes(file, segment + 4, 8), 0);
  return !isUnknown && segment + 4 + width + value === size;
};

/** A length of EBML: the leading zero bits count its bytes. All ones mean that the length is not known yet. */
function elementLength(data: Buffer, at: number): { value: number; width: number; isUnknown: boolean } {
  const width = Math.clz32(data[at] ?? 0) - 23;
  let value = (data[at] ?? 0) & (0xff >> width);
  for (let index = 1; index < width; index++) value = value * 256 + (data[at + index] ?? 0);
  return { value, width, isUnknown: value === 2 ** (7 * width) - 1 };
}

/** The index is last: its start code, its length at the end, and a checksum. */
const isNut = async (file: FileHandle, size: number): Promise<boolean> => {
  const length = Number((await bytes(file, size - 12, 8)).readBigUInt64BE());
  return (await bytes(file, size - length, 8)).equals(nutIndex);
};
const nutIndex = Buffer.from('4e58dd672f23e64e', 'hex');

const endsWith = (end: string) => async (file: FileHandle, size: number) =>
  (await bytes(file, size - end.length / 2, end.length / 2)).equals(Buffer.from(end, 'hex'));

const checks: Record<WholeContainer, (file: FileHandle, size: number) => Promise<boolean>> = {
  mp4: isMovie,
  mov: isMovie,
  webm: isWebm,
  nut: isNut,
  gif: endsWith('003b'),
  // The empty chunk IEND.
  png: endsWith('0000000049454e44ae426082'),
};

/** Bytes outside the file are zero. */
async function bytes(file: FileHandle, at: number, count: number): Promise<Buffer> {
  const buffer = Buffer.alloc(count);
  if (at >= 0) await file.read(buffer, { position: at });
  return buffer;
}
