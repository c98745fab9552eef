// The FFmpeg libraries of the npm package. The Lambda function has them compressed, because its size is limited.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
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

/**
 * What the libraries at `path` say about themselves. Asking them takes a process of Node that loads all of them (0.08 s), so the
 * answer is kept in the cache `root`, as long as the file stays as it is. Rejects as `ask`.
 */
export async function keptDescription(path: string, root: string, ask: () => Promise<string>): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  const key = createHash('sha256')
    .update(JSON.stringify([path, size, mtimeMs]))
    .digest('hex')
    .slice(0, 16);
  const [name, file] = [`ffmpeg-${key}`, 'encoders.txt'];
  const kept = await readFile(join(root, name, file), 'utf8').catch(() => undefined);
  if (kept !== undefined) return kept;
  const answer = await ask();
  // Without a cache, the next render asks again.
  await cacheEntry(root, name, (folder) => writeFile(join(folder, file), answer)).catch(() => undefined);
  return answer;
}
