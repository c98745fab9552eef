// Zstandard, which Node has from version 22.15 on.
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';

export type Zstd = {
  createZstdCompress(options: { params: Record<number, number> }): Transform;
  createZstdDecompress(options: { chunkSize: number }): Transform;
  constants: { ZSTD_c_compressionLevel: number };
};

/** Undefined in older versions of Node. */
export const zstd: Zstd | undefined = 'createZstdCompress' in zlib ? (zlib as unknown as Zstd) : undefined;
