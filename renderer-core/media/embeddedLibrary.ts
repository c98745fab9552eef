// The FFmpeg libraries of the npm package. The Lambda function has them compressed, because its size is limited.
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { cacheEntry } from '../project/cacheFolder.ts';
import { inflate, packedFile } from '../project/inflate.ts';
import type { InstalledPackage } from '../project/packageFolder.ts';
import { ffmpegLibrary } from '../setup/ffmpegPackages.ts';

/** Path of the libraries, which are unpacked into the cache `root` on first use if necessary (0.6 s, 175 MB). */
export async function embeddedLibrary(
  { folder, version }: InstalledPackage,
  root: string,
  signal?: AbortSignal,
): Promise<string> {
  const path = join(folder, ffmpegLibrary);
  const packed = await packedFile(path);
  if (packed === undefined) return path;
  const unpacked = await cacheEntry(root, `node-av-${version}`, (empty) =>
    inflate(packed, createWriteStream(join(empty, ffmpegLibrary), { mode: 0o700 }), signal),
  );
  return join(unpacked, ffmpegLibrary);
}
