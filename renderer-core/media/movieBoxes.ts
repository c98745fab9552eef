// Reads and makes the boxes of MP4 and MOV files. A box is its length in four bytes, its name in four bytes, and its content.
import type { FileHandle } from 'node:fs/promises';

/** Where a box is in a file. */
type Place = { name: string; start: number; end: number };

/** Where the index is: in front of the frames or after them. */
export async function findIndex(file: FileHandle): Promise<Place> {
  const place = (await topBoxes(file)).find(({ name }) => name === 'moov');
  if (!place) throw new Error('the movie has no box "moov"');
  return place;
}

/** The boxes of the file. Their contents, which can be as large as the file, are not read. */
export async function topBoxes(file: FileHandle): Promise<Place[]> {
  const boxes: Place[] = [];
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

/** The contents of the boxes named `name` directly inside `parent`: views, so that writing to them changes `parent`. */
export function boxes(parent: Buffer, name: string): Buffer[] {
  const found: Buffer[] = [];
  for (let offset = 0; offset + 8 <= parent.length; ) {
    const size = parent.readUInt32BE(offset);
    if (size < 8) break;
    if (parent.toString('latin1', offset + 4, offset + 8) === name)
      found.push(parent.subarray(offset + 8, offset + size));
    offset += size;
  }
  return found;
}

const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);

/** The index `box`, in which `change` has replaced the boxes that it got: all down to the tables of the tracks. */
export function changeBoxes(box: Buffer, change: (name: string, box: Buffer) => Buffer): Buffer {
  const name = box.toString('latin1', 4, 8);
  if (!containers.has(name)) return change(name, box);
  const children: Buffer[] = [];
  for (let at = 8; at < box.length; at += box.readUInt32BE(at))
    children.push(changeBoxes(box.subarray(at, at + box.readUInt32BE(at)), change));
  return makeBox(name, Buffer.concat(children));
}

export function makeBox(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length, 0);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, content]);
}
