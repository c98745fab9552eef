// Reads the file of an archive for the zip library, which takes positions from the archive: they can be any number.
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

const partBytes = 64 * 1024;

type Callback = (error: Error | null, bytes?: number) => void;

export class ArchiveReader extends RandomAccessReader {
  private readonly file: FileHandle;
  private readonly size: number;
  private end = { start: Number.POSITIVE_INFINITY, bytes: Buffer.alloc(0) };

  constructor(file: FileHandle, size: number) {
    super();
    this.file = file;
    this.size = size;
  }

  /** Reads the file from `start` on in one piece. The library reads each entry of the directory in two. */
  async loadEnd(start: number): Promise<void> {
    if (!this.has(start, this.size)) return;
    const bytes = Buffer.alloc(this.size - start);
    await this.file.read(bytes, 0, bytes.length, start);
    this.end = { start, bytes };
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, callback: Callback): void {
    const { start, bytes } = this.end;
    if (!this.has(position, position + length)) setImmediate(callback, new Error('unexpected EOF'));
    else if (position < start)
      this.file.read(buffer, offset, length, position).then(({ bytesRead }) => callback(null, bytesRead), callback);
    else setImmediate(callback, null, bytes.copy(buffer, offset, position - start, position - start + length));
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.parts(start, end), { objectMode: false });
  }

  private async *parts(start: number, end: number): AsyncGenerator<Buffer> {
    if (!this.has(start, end)) throw new Error('unexpected EOF');
    for (let at = start; at < end; at += partBytes) {
      const part = Buffer.allocUnsafe(Math.min(partBytes, end - at));
      const { bytesRead } = await this.file.read(part, 0, part.length, at);
      yield part.subarray(0, bytesRead);
    }
  }

  private has(start: number, end: number): boolean {
    return start >= 0 && start <= end && end <= this.size;
  }
}
