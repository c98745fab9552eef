// All font packages together: which of them are on this machine, downloading the others, and deleting downloads.
import { readdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UserError } from '../errors.ts';
import { isOnDemand } from '../model/fonts/pinnedFamilies.ts';
import { folderBytes } from '../project/folderBytes.ts';
import { findNpm } from '../setup/npm.ts';
import type { SetUpRow, SetupEvent } from '../setup/setupReport.ts';
import { type FoundFonts, findFonts } from './findFonts.ts';
import { cacheName, type FontSearchOptions, fontCache } from './fontCache.ts';
import { fontFolder } from './fontFolder.ts';
import { type FontPackage, fontPackages } from './fontPackages.ts';

export type FontsState = {
  found: readonly (FontPackage & FoundFonts)[];
  missing: readonly FontPackage[];
  /** Whether npm is there, which downloads the missing ones. */
  hasNpm: boolean;
};

export async function installedFonts(options: FontSearchOptions): Promise<FontsState> {
  const { env, platform = process.platform, table = fontPackages } = options;
  const all = await Promise.all(table.map(async (one) => ({ one, fonts: await findFonts(one, options) })));
  return {
    found: all.flatMap(({ one, fonts }) => (fonts ? [{ ...one, ...fonts }] : [])),
    missing: all.flatMap(({ one, fonts }) => (fonts ? [] : [one])),
    hasNpm: (await findNpm(env, platform)) !== undefined,
  };
}

export const totalBytes = (packages: readonly FontPackage[]): number =>
  packages.reduce((sum, { bytes }) => sum + bytes, 0);

/** Whether only pages with certain characters need the packages. */
export const areOnDemand = (packages: readonly FontPackage[]): boolean =>
  packages.every(({ name }) => isOnDemand(name));

type SetUpFonts = FontSearchOptions & {
  /** Download packages again that were downloaded before. */
  force?: boolean;
  dryRun?: boolean;
  onEvent?: (event: SetupEvent) => void;
};

/** The work of `framework setup fonts`. Throws UserError as `fontFolder`, and `cancelled`. */
export async function setUpFonts(options: SetUpFonts): Promise<SetUpRow> {
  const { env, home = homedir(), signal, onEvent } = options;
  onEvent?.({ type: 'stage', message: 'Looking for fonts' });
  if (options.force && !options.dryRun) await removeFonts(env, home);
  const { found, missing } = await installedFonts(options);
  const name = `${found.length + missing.length} font packages`;
  const base = { program: 'fonts', name, bytes: totalBytes(missing) } as const;
  const diskBytes = missing.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0);
  if (missing.length > 0 && options.dryRun) return { ...base, status: 'planned', path: null, source: null, diskBytes };
  try {
    await download(missing, options);
  } catch (error) {
    if (!signal?.aborted) throw error;
    throw new UserError('cancelled', 'The setup was cancelled; complete downloads were kept.', { cause: error });
  }
  const isCached = missing.length > 0 || found.some(({ source }) => source === 'set-up');
  const path = isCached ? fontCache(env, home) : dirname(dirname(found[0]?.folder ?? ''));
  const source = isCached ? 'set-up' : 'embedded';
  return { ...base, status: missing.length > 0 ? 'downloaded' : 'present', path, source, diskBytes };
}

async function download(missing: readonly FontPackage[], options: SetUpFonts): Promise<void> {
  const total = totalBytes(missing);
  let doneBytes = 0;
  const downloads = await Promise.allSettled(
    missing.map(async ({ name, bytes }) => {
      await fontFolder(name, options);
      doneBytes += bytes;
      const progress = { name: `${missing.length} font packages`, doneBytes, totalBytes: total };
      options.onEvent?.({ type: 'download', program: 'fonts', ...progress, remainingSeconds: null });
    }),
  );
  for (const each of downloads) if (each.status === 'rejected') throw each.reason;
}

export type RemovedFonts = { program: 'fonts'; version: string; bytes: number };

/** Deletes downloaded fonts, also those of other versions of framework. `version` is such as `fontsource-arimo-5.3.0`. */
export async function removeFonts(env: NodeJS.ProcessEnv, home: string = homedir()): Promise<RemovedFonts[]> {
  const folder = fontCache(env, home);
  const prefixes = ['@fontsource', ...fontPackages.map(({ name }) => name)].map((name) => cacheName(name, ''));
  const isFonts = (name: string) => prefixes.some((prefix) => name.startsWith(prefix));
  const names = (await readdir(folder).catch(() => [])).filter(isFonts);
  return Promise.all(
    names.map(async (name) => {
      const bytes = await folderBytes(join(folder, name));
      await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
      return { program: 'fonts' as const, version: name, bytes };
    }),
  );
}
