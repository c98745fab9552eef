// Finds the folder of a font package on this machine, or downloads the package.
import { UserError } from '../errors.ts';
import { findNpm } from '../setup/npm.ts';
import { findFonts } from './findFonts.ts';
import { type FontSearchOptions, systemFontsHint } from './fontCache.ts';
import { type FontPackage, fontPackages } from './fontPackages.ts';

/**
 * The folder of the package `name` in exactly the version of the table, which is downloaded with npm on first use.
 * Throws UserError `download_failed`, `output_unwritable` or `disk_full`.
 */
export async function fontFolder(name: string, options: FontSearchOptions): Promise<string> {
  const { table = fontPackages, env, platform = process.platform } = options;
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
export async function isOnMachine(name: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const wanted = fontPackages.find((one) => one.name === name);
  return wanted !== undefined && (await findFonts(wanted, { env })) !== undefined;
}

function withoutNpm({ name, version }: FontPackage): UserError {
  return new UserError('download_failed', `The fonts ${name}@${version} are not installed, and npm was not found.`, {
    hint: `Install npm, which is part of Node.js (https://nodejs.org), and run "framework setup fonts". ${systemFontsHint}`,
  });
}
