// Moves the index of an MP4 or MOV file from the end to the front, as ffmpeg's `+faststart` does, without writing the file again.
import { type FileHandle, open } from 'node:fs/promises';
import type { Format } from '../plan/formats.ts';

/** What a video consists of: `head`, then the bytes of a file from `start` to `end`. */
export type VideoBytes = { head: Buffer; start: number; end: number };

/**
 * While a video is written, its bytes from here on do not change any more. In front of them are headers, the space that
 * `writeMp4` reserves for the index, and what it has not written yet.
 */
export const finalFrom = (frames: number): number => 32 * 1024 * 1024 + 64 * frames;

/** `path`: a complete video, in which the index may be last. */
export async function indexFirst(path: string, format: Format): Promise<VideoBytes> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const whole = { head: Buffer.alloc(0), start: 0, end: size };
    if (format !== 'mp4' && format !== 'mov') return whole;
    const boxes = await topBoxes(file);
    const [first, last] = [boxes[0], boxes.at(-1)];
    if (first?.name !== 'ftyp' || last?.name !== 'moov') return whole;
    const [ftyp, moov] = [await readBytes(file, 0, first.end), await readBytes(file, last.start, last.end)];
    return { head: Buffer.concat([ftyp, moveInFront(moov)]), start: first.end, end: last.start };
  } finally {
    await file.close();
  }
}

/**
 * The index `moov` for a file in which it is in front of the frames: its offsets grow by its own length. Offsets of 4 GiB
 * and more need twice the space, which makes the index longer.
 */
export function moveInFront(moov: Buffer): Buffer {
  for (let length = moov.length; ; ) {
    const moved = moveOffsets(moov, length);
    if (moved.length === length) return moved;
    length = moved.length;
  }
}

const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);

function moveOffsets(box: Buffer, by: number): Buffer {
  const name = box.toString('latin1', 4, 8);
  if (name === 'stco' || name === 'co64') return makeOffsets(name, box, by);
  if (!containers.has(name)) return box;
  const children: Buffer[] = [];
  for (let at = 8; at < box.length; at += box.readUInt32BE(at))
    children.push(moveOffsets(box.subarray(at, at + box.readUInt32BE(at)), by));
  return makeBox(name, Buffer.concat(children));
}

/** Moves the table of the offsets of a track: version and flags, the count, and the offsets with four or eight bytes each. */
function makeOffsets(name: 'stco' | 'co64', box: Buffer, by: number): Buffer {
  const count = box.readUInt32BE(12);
  const offset = (index: number) =>
    by + (name === 'stco' ? box.readUInt32BE(16 + 4 * index) : Number(box.readBigUInt64BE(16 + 8 * index)));
  const offsets = Array.from({ length: count }, (_, index) => offset(index));
  const isLong = name === 'co64' || offsets.some((value) => value > 0xffff_ffff);
  const table = Buffer.alloc((isLong ? 8 : 4) * count);
  for (const [index, value] of offsets.entries()) {
    if (isLong) table.writeBigUInt64BE(BigInt(value), 8 * index);
    else table.writeUInt32BE(value, 4 * index);
  }
  return makeBox(isLong ? 'co64' : 'stco', Buffer.concat([box.subarray(8, 16), table]));
}

function makeBox(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length, 0);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** The boxes of the file. Their contents, which can be as large as the file, are not read. */
export async function topBoxes(file: FileHandle): Promise<{ name: string; start: number; end: number }[]> {
  const boxes = [];
  const { size } = await file.stat();
  for (let start = 0; start < size; ) {
    const head = await readBytes(file, start, start + 16);
    const short = head.readUInt32BE(0);
    const end = start + (short === 1 ? Number(head.readBigUInt64BE(8)) : short);
    if (end < start + 8) throw new Error('the movie has a box without a length');
    boxes.push({ name: head.toString('latin1', 4, 8), start, end });
    start = end;
  }
  return boxes;
}

export async function readBytes(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.alloc(end - start);
  await file.read(buffer, 0, buffer.length, start);
  return buffer;
}
