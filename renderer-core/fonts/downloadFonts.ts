// Downloads a font package with the user's npm into the cache.
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { UserError } from '../errors.ts';
import { cacheEntry } from '../project/cacheFolder.ts';
import { downloadPackage } from '../setup/downloadPackage.ts';
import { unpackPackage } from '../setup/unpack.ts';
import { cacheName, type FontSearchOptions, fontCache, systemFontsHint } from './fontCache.ts';
import { fontFiles } from './fontFiles.ts';
import type { FontPackage } from './fontPackages.ts';

export type FontDownload = FontSearchOptions & {
  /** The path that `findNpm` returns. */
  npm: string;
  onProgress?: (doneBytes: number) => void;
};

/** A page may need all packages at once. Each npm takes about 0.3 s of processor time. */
const oneOfFew = pLimit(4);

/**
 * Returns the folder with the files that renders use. Processes that download at the same time do not disturb each other.
 * Throws UserError `download_failed`, `output_unwritable` or `disk_full`.
 */
export function downloadFonts(wanted: FontPackage, options: FontDownload): Promise<string> {
  const { env, home = homedir() } = options;
  const name = cacheName(wanted.name, wanted.version);
  return oneOfFew(() => cacheEntry(fontCache(env, home), name, (folder) => fill(folder, wanted, options)));
}

async function fill(folder: string, wanted: FontPackage, options: FontDownload): Promise<void> {
  const { npm, env, signal, onProgress = () => undefined } = options;
  const { name, version, sha512 } = wanted;
  const archive = join(folder, 'archive');
  const unpacked = join(folder, 'unpacked');
  try {
    const request = { npm, spec: `${name}@${version}`, sha512, target: archive, env, onProgress };
    await downloadPackage({ ...request, ...(signal ? { signal } : {}) });
    await mkdir(unpacked);
    await unpackPackage(archive, unpacked, signal);
  } catch (error) {
    throw error instanceof UserError ? withHint(error) : error;
  }
  for (const file of await fontFiles(unpacked, name)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await rename(join(unpacked, file), join(folder, file));
  }
  await rm(unpacked, { recursive: true });
  await rm(archive);
}

const withHint = ({ code, message, cause }: UserError): UserError =>
  new UserError(code, message, {
    hint: `Fonts are downloaded on first use. Check the registry and the proxy of npm with "npm config list". ${systemFontsHint}`,
    cause,
  });
