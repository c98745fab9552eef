// Finds the folder of a font package on this machine: as an installed npm package, or in the cache of the user.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isOwnFolder } from '../project/cacheFolder.ts';
import { findPackage } from '../project/packageFolder.ts';
import { cacheName, type FontSearchOptions, fontCache } from './fontCache.ts';
import type { FontPackage } from './fontPackages.ts';

/** `embedded`: installed by npm. `set-up`: downloaded before. */
export type FoundFonts = { folder: string; source: 'embedded' | 'set-up' };

/** Undefined if the package has to be downloaded. An installed package of another version may have other glyphs. */
export async function findFonts(
  { name, version }: FontPackage,
  { env, home = homedir(), packages = findPackage }: FontSearchOptions,
): Promise<FoundFonts | undefined> {
  const installed = await packages(name);
  if (installed?.version === version) return { folder: installed.folder, source: 'embedded' };
  const folder = join(fontCache(env, home), cacheName(name, version));
  return (await isOwnFolder(folder)) ? { folder, source: 'set-up' } : undefined;
}
