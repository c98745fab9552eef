// IVF: pictures with time stamps and nothing else, which ffmpeg reads in every version. Segments of a video are kept in it
// because they can be joined by writing one after the other.
import type { FrameRate } from '../plan/frameRate.ts';

export const ivfHeaderBytes = 32;
const frameHeaderBytes = 12;

/** Sizes in pixels, as encoded: even. */
export function ivfHeader(fourcc: 'H264', width: number, height: number, rate: FrameRate): Buffer {
  const header = Buffer.alloc(ivfHeaderBytes);
  header.write('DKIF', 0, 'latin1');
  header.writeUInt16LE(ivfHeaderBytes, 6);
  header.write(fourcc, 8, 'latin1');
  header.writeUInt16LE(width, 12);
  header.writeUInt16LE(height, 14);
  header.writeUInt32LE(rate.num, 16);
  header.writeUInt32LE(rate.den, 20);
  return header;
}

/** `pictures` as frames `first`, `first + 1`, ... of the video. */
export function ivfFrames(pictures: readonly Buffer[], first: number): Buffer {
  return Buffer.concat(
    pictures.flatMap((picture, index) => {
      const head = Buffer.alloc(frameHeaderBytes);
      head.writeUInt32LE(picture.length, 0);
      head.writeBigUInt64LE(BigInt(first + index), 4);
      return [head, picture];
    }),
  );
}

/** The pictures of a file of `ivfFrames`, which has no header of its own. */
export function readIvf(file: Buffer): Buffer[] {
  const pictures: Buffer[] = [];
  for (let at = 0; at + frameHeaderBytes <= file.length; ) {
    const start = at + frameHeaderBytes;
    at = start + file.readUInt32LE(at);
    pictures.push(file.subarray(start, at));
  }
  return pictures;
}
