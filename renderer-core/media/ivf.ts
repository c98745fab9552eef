// IVF: encoded frames with time stamps and nothing else, which every version of ffmpeg reads. Segments are stored in it,
// because they can be joined by writing one after the other.
import type { FrameRate } from '../model/frameGrid.ts';

export const ivfHeaderBytes = 32;
const frameHeaderBytes = 12;

/** `width` and `height` are in pixels, as encoded (even numbers). */
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

/** Packs `frames` as frames `first`, `first + 1`, ... of the video. There is no file header. */
export function ivfFrames(frames: readonly Buffer[], first: number): Buffer {
  return Buffer.concat(
    frames.flatMap((frame, index) => {
      const head = Buffer.alloc(frameHeaderBytes);
      head.writeUInt32LE(frame.length, 0);
      head.writeBigUInt64LE(BigInt(first + index), 4);
      return [head, frame];
    }),
  );
}

/** Reads the frames of a file that `ivfFrames` wrote. */
export function readIvf(file: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at + frameHeaderBytes <= file.length; ) {
    const start = at + frameHeaderBytes;
    at = start + file.readUInt32LE(at);
    frames.push(file.subarray(start, at));
  }
  return frames;
}
