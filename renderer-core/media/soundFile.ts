// Raw stereo sound on disk, read and written a piece at a time: its length does not weigh on memory.
import type { FileHandle } from 'node:fs/promises';

/** Two channels of 32-bit floats. */
export const frameBytes = 8;

/** Frames of a piece: a second and a third. */
const pieceFrames = 1 << 16;

/** Cuts `start` to `end - 1` into pieces. */
export function* pieces(start: number, end: number): Generator<{ from: number; to: number }> {
  for (let from = start; from < end; from += pieceFrames) yield { from, to: Math.min(end, from + pieceFrames) };
}

/** Frames `from` to `to - 1`, interleaved; silence where the file has none, before 0 as well. */
export async function readSound(file: FileHandle, from: number, to: number): Promise<Float32Array> {
  const sound = new Float32Array((to - from) * 2);
  let done = Math.max(0, -from) * frameBytes;
  while (done < sound.byteLength) {
    const { bytesRead } = await file.read(sound, done, sound.byteLength - done, from * frameBytes + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return sound;
}

export async function writeSound(file: FileHandle, from: number, sound: Float32Array): Promise<void> {
  let done = 0;
  while (done < sound.byteLength) {
    const { bytesWritten } = await file.write(sound, done, sound.byteLength - done, from * frameBytes + done);
    done += bytesWritten;
  }
}

/** Whole frames in the file. */
export async function soundLength(file: FileHandle): Promise<number> {
  return Math.floor((await file.stat()).size / frameBytes);
}
