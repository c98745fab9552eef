// Moves the index of an MP4 or MOV file from the end to the front, as ffmpeg's `+faststart` does, without writing the file again.
import { open } from 'node:fs/promises';
import type { Format } from '../plan/formats.ts';
import { changeBoxes, makeBox, readBytes, topBoxes } from './movieBoxes.ts';

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

function moveOffsets(moov: Buffer, by: number): Buffer {
  return changeBoxes(moov, (name, box) => (name === 'stco' || name === 'co64' ? makeOffsets(name, box, by) : box));
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
