// Finds the folder of a font package: as an installed npm package, in the cache of the user, or by a download.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { isOwnFolder } from '../project/cacheFolder.ts';
import { findPackage } from '../project/packageFolder.ts';
import { findNpm } from '../setup/npm.ts';
import { cacheName, type FontSearchOptions, fontCache, systemFontsHint } from './fontCache.ts';
import { type FontPackage, fontPackages } from './fontPackages.ts';

/** `embedded`: installed by npm. `set-up`: downloaded before. */
export type FoundFonts = { folder: string; source: 'embedded' | 'set-up' };

/**
 * The folder of the package `name` in exactly the version of the table, which is downloaded with npm on first use.
 * Throws UserError `download_failed`, `output_unwritable` or `disk_full`.
 */
export async function fontFolder(name: string, options: FontSearchOptions = {}): Promise<string> {
  const { table = fontPackages, env = process.env, platform = process.platform } = options;
  const wanted = table.find((one) => one.name === name);
  if (!wanted) throw new Error(`${name} is not a package of pinned fonts`);
  const found = await findFonts(wanted, options);
  if (found) return found.folder;
  const npm = await findNpm(env, platform);
  if (npm === undefined) throw withoutNpm(wanted);
  // Loaded only when needed, because the download code is large.
  const { downloadFonts } = await import('./downloadFonts.ts');
  return downloadFonts(wanted, { ...options, npm });
}

/** Whether the package need not be downloaded. */
export async function isOnMachine(name: string): Promise<boolean> {
  const wanted = fontPackages.find((one) => one.name === name);
  return wanted !== undefined && (await findFonts(wanted, {})) !== undefined;
}

/** Undefined if the package has to be downloaded. An installed package of another version may have other glyphs. */
export async function findFonts(
  { name, version }: FontPackage,
  { env = process.env, home = homedir(), packages = findPackage }: FontSearchOptions,
): Promise<FoundFonts | undefined> {
  const installed = await packages(name);
  if (installed?.version === version) return { folder: installed.folder, source: 'embedded' };
  const folder = join(fontCache(env, home), cacheName(name, version));
  return (await isOwnFolder(folder)) ? { folder, source: 'set-up' } : undefined;
}

function withoutNpm({ name, version }: FontPackage): UserError {
  return new UserError('download_failed', `The fonts ${name}@${version} are not installed, and npm was not found.`, {
    hint: `Install npm, which is part of Node.js (https://nodejs.org), and run "framework setup fonts". ${systemFontsHint}`,
  });
}
