// The structure of MP4 and MOV files.
import { readFileSync } from 'node:fs';
import type { VideoBytes } from '../../../renderer-core/media/indexFirst.ts';

/** A small box: its length in four bytes, its name, and its content. */
export function box(name: string, ...content: (Buffer | number[])[]): Buffer {
  const all = Buffer.concat(content.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from([0, 0, 0, 8 + all.length]), Buffer.from(name, 'latin1'), all]);
}

/** Names of the boxes at the top level of a file, in order. */
export function boxNames(file: Buffer): string[] {
  const names: string[] = [];
  for (let offset = 0; offset < file.length; ) {
    const length = file.readUInt32BE(offset);
    names.push(file.toString('latin1', offset + 4, offset + 8));
    offset += length === 1 ? Number(file.readBigUInt64BE(offset + 8)) : length;
  }
  return names;
}

/** Whether the index (`moov`) is in front of the frames (`mdat`), so that the video plays while it loads. */
export function indexIsFirst(file: Buffer): boolean {
  const names = boxNames(file);
  return names.includes('moov') && names.indexOf('moov') < names.indexOf('mdat');
}

/** The video in a file whose index is last. */
export const videoIn = (path: string, { head, start, end }: VideoBytes): Buffer =>
  Buffer.concat([head, readFileSync(path).subarray(start, end)]);
