// Finds the folder of a font package on this machine: as an installed npm package, or in the cache of the user.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isOwnFolder } from '../project/cacheFolder.ts';
import { findPackage } from '../project/packageFolder.ts';
import { cacheName, type FontSearchOptions, fontCache } from './fontCache.ts';
import type { FontPackage } from './fontPackages.ts';

/** `embedded`: installed by npm, alone or as a part of this package. `set-up`: downloaded before. */
export type FoundFonts = { folder: string; source: 'embedded' | 'set-up' };

/** Next to the bundles, by `cacheName`. Sources use the npm packages, of which the build takes the files that renders use. */
const included = import.meta.url.endsWith('.ts') ? undefined : new URL('./fonts/', import.meta.url);

/** Undefined if the package has to be downloaded. An installed package of another version may have other glyphs. */
export async function findFonts(
  { name, version }: FontPackage,
  { env, home = homedir(), packages = findPackage }: FontSearchOptions,
): Promise<FoundFonts | undefined> {
  const part = included && fileURLToPath(new URL(`${cacheName(name, version)}/`, included));
  if (part !== undefined && existsSync(part)) return { folder: part, source: 'embedded' };
  const installed = await packages(name);
  if (installed?.version === version) return { folder: installed.folder, source: 'embedded' };
  const folder = join(fontCache(env, home), cacheName(name, version));
  return (await isOwnFolder(folder)) ? { folder, source: 'set-up' } : undefined;
}
