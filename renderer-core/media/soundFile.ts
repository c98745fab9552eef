// Raw stereo sound on disk, read and written in pieces, so that memory does not depend on its length.
import type { FileHandle } from 'node:fs/promises';

/** Bytes of one audio frame: two channels of 32-bit floats. */
export const frameBytes = 8;

/** Audio frames of a piece: 1.37 seconds. */
const pieceFrames = 1 << 16;

/** Splits the range from `start` to `end - 1` into pieces. */
export function* pieces(start: number, end: number): Generator<{ from: number; to: number }> {
  for (let from = start; from < end; from += pieceFrames) yield { from, to: Math.min(end, from + pieceFrames) };
}

/** Reads frames `from` to `to - 1`, interleaved. Frames outside the file are silent. */
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

/** The number of complete audio frames in the file. */
export async function soundLength(file: FileHandle): Promise<number> {
  return Math.floor((await file.stat()).size / frameBytes);
}
